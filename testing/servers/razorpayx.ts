import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/*
 * A stand-in of RazorpayX on loopback, by its documentation (https://razorpay.com/docs/api/x): contacts, fund accounts and payouts with
 * idempotency keys, in states that a test sets, with signed webhooks. `node testing/servers/razorpayx.ts` runs it by itself.
 */

export type PayoutStatus =
  | 'pending'
  | 'queued'
  | 'processing'
  | 'processed'
  | 'reversed'
  | 'cancelled'
  | 'rejected'
  | 'failed';

export interface StandInPayout {
  id: string;
  entity: 'payout';
  fund_account_id: string;
  amount: number;
  currency: string;
  notes: Record<string, string> | [];
  fees: number;
  tax: number;
  status: PayoutStatus;
  utr: string | null;
  mode: string;
  purpose: string;
  reference_id: string | null;
  narration: string;
  batch_id: null;
  status_details: { description: string; source: string; reason: string } | null;
  created_at: number;
}

/** A fault of the next request to a path, once. */
export interface Fault {
  at: '/v1/contacts' | '/v1/fund_accounts' | '/v1/payouts' | `/v1/payouts/${string}`;
  method?: 'GET' | 'POST';
  /** The response; `silence`: none, while the connection stays open; `reset`: it closes the connection. */
  answer: 'silence' | 'reset' | { status: number; body: string };
  /** Whether it carries out the request before. */
  doesIt?: boolean;
}

/** In the form for `inject`. */
export interface Webhook {
  payload: string;
  headers: Record<string, string>;
}

interface Stored {
  id: string;
  /** The input, by which an equal request finds the same one. */
  given: string;
  contactId?: string;
}

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const idOf = (kind: string) =>
  `${kind}_${Array.from(crypto.getRandomValues(new Uint8Array(14)), (byte) => base62[byte % 62]).join('')}`;
const names = /^[A-Za-z0-9 ’_/().-]+[A-Za-z0-9.]$/;

/** The settings of a server that pays by it. */
export const standInSettings = (url: string) => ({
  PAYER: 'razorpayx',
  RAZORPAYX_URL: url,
  RAZORPAYX_KEY_ID: 'rzp_test_ofThisTest',
  RAZORPAYX_KEY_SECRET: 'a secret of this test',
  RAZORPAYX_ACCOUNT: '7878780080316316',
  RAZORPAYX_WEBHOOK_SECRET: 'a webhook secret of this test',
});

export async function startRazorpayx(port = 0) {
  const settings = standInSettings('');
  const contacts: Stored[] = [];
  const fundAccounts: (Stored & { active: boolean })[] = [];
  const payouts = new Map<string, StandInPayout>();
  /** By idempotency key: the body that was sent, and the resulting payout. */
  const keys = new Map<string, { body: string; id: string }>();
  const faults: Fault[] = [];
  const requests: { method: string; path: string; body: string }[] = [];
  const control = {
    /** The account balance in paise. */
    balance: 1_000_000_000,
    /** If false, this machine is not on the list of allowed addresses. */
    knowsThisMachine: true,
    /** The initial state of a payout. */
    begins: 'processing' as PayoutStatus,
  };

  const refuse = (description: string, field?: string, status = 400, reason = 'input_validation_failed') => ({
    status,
    body: {
      error: {
        code: 'BAD_REQUEST_ERROR',
        description,
        source: 'business',
        step: null,
        reason,
        metadata: {},
        ...(field ? { field } : {}),
      },
    },
  });
  const answer = (body: object) => ({ status: 200, body });

  function store(list: Stored[], kind: string, given: object, more: object = {}): Stored {
    const text = JSON.stringify(given);
    const known = list.find((one) => one.given === text);
    if (known) return known;
    const made = { id: idOf(kind), given: text, ...more };
    list.push(made);
    return made;
  }

  function contact({ name, email, contact: phone, type, reference_id }: Record<string, string>) {
    if (!name) return refuse('The name field is required.', 'name');
    if (name.length < 3 || name.length > 50 || !names.test(name))
      return refuse('The name field is invalid.', 'name');
    if (type !== undefined && !['vendor', 'customer', 'employee', 'self'].includes(type))
      return refuse(`Invalid type: ${type}`, 'type');
    if ((reference_id ?? '').length > 40)
      return refuse('The reference id may not be greater than 40 characters.', 'reference_id');
    const { id } = store(contacts, 'cont', { name, email, phone, type, reference_id });
    return answer({ id, entity: 'contact', name, type, reference_id, active: true });
  }

  type Body = Record<string, string> & { vpa?: { address: string }; bank_account?: Record<string, string> };
  function fundAccount({ contact_id, account_type, vpa, bank_account: bank }: Body) {
    if (!contacts.some(({ id }) => id === contact_id)) return refuse('The id provided does not exist');
    if (account_type === 'vpa') {
      if (!/^[\w.-]+@[A-Za-z0-9]+$/.test(vpa?.address ?? ''))
        return refuse(`Invalid VPA: ${vpa?.address}. Please enter a valid VPA`, 'vpa.address');
    } else if (account_type === 'bank_account') {
      const { name = '', ifsc = '', account_number: number = '' } = bank ?? {};
      if (name.length < 3 || name.length > 120 || !names.test(name))
        return refuse('The name field is invalid.', 'bank_account.name');
      if (ifsc.length !== 11) return refuse('The IFSC must be 11 characters.', 'bank_account.ifsc');
      if (!/^[A-Za-z0-9]{5,35}$/.test(number))
        return refuse('The account number format is invalid.', 'bank_account.account_number');
    } else return refuse('The account type is invalid', 'account_type');
    const { id } = store(fundAccounts, 'fa', { contact_id, account_type, vpa, bank }, { active: true });
    // The response repeats the destination.
    const to = vpa ? { vpa } : { bank_account: bank };
    return answer({ id, entity: 'fund_account', contact_id, account_type, ...to, active: true });
  }

  function pay(given: Record<string, unknown>, key: string | undefined) {
    if (!key)
      return refuse(
        'Idempotency key is missing. Include idempotency header and key in the request.',
        'X-Payout-Idempotency',
      );
    if (!/^[A-Za-z0-9 _-]{4,36}$/.test(key))
      return refuse('The idempotency key is invalid.', 'X-Payout-Idempotency');
    if (!control.knowsThisMachine)
      return refuse('Transactions from this IP are not allowed. Contact support for help.');
    const body = JSON.stringify(given);
    const known = keys.get(key);
    if (known) {
      if (known.body !== body) return refuse('Different request body sent for the same Idempotency Header.');
      return answer(payouts.get(known.id) as StandInPayout);
    }
    const { account_number, fund_account_id, amount, currency, mode, purpose, queue_if_low_balance } = given;
    const { reference_id = null, narration = '' } = given as Record<string, string | null>;
    const { notes = {} } = given as { notes?: Record<string, string> };
    if (account_number !== settings.RAZORPAYX_ACCOUNT)
      return refuse('The account number is invalid', 'account_number');
    const to = fundAccounts.find(({ id }) => id === fund_account_id);
    if (!to) return refuse('The id provided does not exist', 'fund_account_id');
    if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 100)
      return refuse('The amount must be at least 100.', 'amount');
    if (currency !== 'INR') return refuse('The currency is invalid', 'currency');
    const isVpa = to.given.includes('"account_type":"vpa"');
    if (!(isVpa ? ['UPI'] : ['NEFT', 'RTGS', 'IMPS']).includes(mode as string))
      return refuse('Payout mode is invalid', 'mode');
    if (
      !['refund', 'cashback', 'payout', 'salary', 'utility bill', 'vendor bill'].includes(purpose as string)
    )
      return refuse(`Invalid purpose: ${purpose}`, 'purpose');
    if ((reference_id ?? '').length > 40) return refuse('The reference id is too long', 'reference_id');
    if (!/^[A-Za-z0-9 ]{0,30}$/.test(narration ?? '')) return refuse('The narration is invalid', 'narration');
    if (Object.keys(notes).length > 15)
      return refuse('Number of fields in notes should be less than or equal to 15', 'notes');
    if (Object.values(notes).some((note) => typeof note !== 'string' || note.length > 256))
      return refuse('The notes may not be greater than 256 characters.', 'notes');
    const isLow = amount > control.balance;
    if (isLow && !queue_if_low_balance)
      return refuse(
        'Your account does not have enough balance to carry out the payout operation.',
        undefined,
        400,
        'insufficient_funds',
      );
    if (!isLow) control.balance -= amount;
    const id = idOf('pout');
    const made: StandInPayout = {
      id,
      entity: 'payout',
      fund_account_id: to.id,
      amount,
      currency,
      notes: Object.keys(notes).length > 0 ? notes : [],
      fees: 0,
      tax: 0,
      status: isLow ? 'queued' : control.begins,
      utr: null,
      mode: mode as string,
      purpose: purpose as string,
      reference_id,
      narration: narration ?? '',
      batch_id: null,
      status_details: isLow
        ? {
            description:
              'Payout is queued as there is insufficient balance in your business account to process the payout',
            source: 'business',
            reason: 'low_balance',
          }
        : null,
      created_at: Math.floor(Date.now() / 1000),
    };
    payouts.set(id, made);
    keys.set(key, { body, id });
    return answer(made);
  }

  function list(query: URLSearchParams) {
    if (query.get('account_number') !== settings.RAZORPAYX_ACCOUNT)
      return refuse('The account number field is required', 'account_number');
    const [count, skip] = [Number(query.get('count') ?? 10), Number(query.get('skip') ?? 0)];
    if (count > 100) return refuse('The count may not be greater than 100.', 'count');
    const wanted = (name: string, value: unknown) => (query.get(name) ?? value) === value;
    const items = [...payouts.values()]
      .reverse()
      .filter((one) => wanted('reference_id', one.reference_id) && wanted('status', one.status))
      .filter((one) => one.created_at >= Number(query.get('from') ?? 0))
      .filter((one) => one.created_at <= Number(query.get('to') ?? Number.POSITIVE_INFINITY))
      .slice(skip, skip + count);
    return answer({ entity: 'collection', count: items.length, items });
  }

  const expected = `Basic ${Buffer.from(`${settings.RAZORPAYX_KEY_ID}:${settings.RAZORPAYX_KEY_SECRET}`).toString('base64')}`;
  function isKnown(given = '') {
    const [one, other] = [Buffer.from(given), Buffer.from(expected)];
    return one.length === other.length && timingSafeEqual(one, other);
  }

  function respond(method: string, url: URL, body: object, headers: IncomingMessage['headers']) {
    const { pathname: path, searchParams } = url;
    if (method === 'POST' && path === '/v1/contacts') return contact(body as Record<string, string>);
    if (method === 'POST' && path === '/v1/fund_accounts') return fundAccount(body as Body);
    if (method === 'POST' && path === '/v1/payouts')
      return pay(body as Record<string, unknown>, headers['x-payout-idempotency']?.toString());
    if (method === 'GET' && path === '/v1/payouts') return list(searchParams);
    const one = /^\/v1\/payouts\/(pout_\w+)$/.exec(path)?.[1];
    const found = one && method === 'GET' ? payouts.get(one) : undefined;
    return found ? answer(found) : refuse('The requested URL was not found on the server.', undefined, 404);
  }

  const server = createServer(async (request, response) => {
    const { method = 'GET', url: address = '/', headers } = request;
    const url = new URL(address, 'http://localhost');
    const body = method === 'POST' ? ((await json(request).catch(() => ({}))) as object) : {};
    requests.push({ method, path: url.pathname, body: JSON.stringify(body) });
    const send = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    if (!isKnown(headers.authorization)) {
      const { body: said } = refuse('Authentication failed', undefined, 401, 'authentication_failed');
      return send(401, JSON.stringify(said));
    }
    const place = faults.findIndex((one) => one.at === url.pathname && (one.method ?? 'POST') === method);
    const [fault] = place === -1 ? [] : faults.splice(place, 1);
    const usual = fault && !fault.doesIt ? undefined : respond(method, url, body, headers);
    if (fault?.answer === 'silence') return undefined;
    if (fault?.answer === 'reset') return response.destroy();
    if (fault) return send(fault.answer.status, fault.answer.body);
    return send(usual?.status ?? 500, JSON.stringify(usual?.body));
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    settings: standInSettings(url),
    payouts,
    contacts,
    fundAccounts,
    faults,
    requests,
    control,
    /** The payout of an attempt. */
    of(attemptId: string): StandInPayout {
      const found = [...payouts.values()].filter((one) => one.reference_id === attemptId);
      if (found.length !== 1 || !found[0]) throw new Error(`${found.length} payouts of ${attemptId}`);
      return found[0];
    },
    /** Moves a payout to another state; a processed one gets a bank reference. */
    move(payout: StandInPayout, status: PayoutStatus, description = ''): StandInPayout {
      payout.status = status;
      if (status === 'processed')
        payout.utr ??= `UTR${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`;
      payout.status_details = description
        ? { description, source: 'beneficiary_bank', reason: 'beneficiary_bank_rejected' }
        : null;
      return payout;
    },
    /** The signed event of a payout in its current state; `secret`: signs with another one. */
    webhook(payout: StandInPayout, secret = settings.RAZORPAYX_WEBHOOK_SECRET): Webhook {
      const name = { processing: 'initiated' } as Partial<Record<PayoutStatus, string>>;
      const payload = JSON.stringify({
        entity: 'event',
        account_id: 'acc_ofThisTest',
        event: `payout.${name[payout.status] ?? payout.status}`,
        contains: ['payout'],
        payload: { payout: { entity: payout } },
        created_at: Math.floor(Date.now() / 1000),
      });
      return {
        payload,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Razorpay-Webhook/v1',
          'x-razorpay-signature': createHmac('sha256', secret).update(payload).digest('hex'),
          'x-razorpay-event-id': idOf('event'),
        },
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
