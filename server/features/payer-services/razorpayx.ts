import { z } from 'zod';
import { type ApiPayer, type PayerRecord, PayerRefused, PayerUnclear } from './payer.ts';

/** How to reach the account at RazorpayX. */
export interface RazorpayxSettings {
  url: string;
  keyId: string;
  keySecret: string;
  /** The number of the paying account. */
  account: string;
  webhookSecret: string;
}

/** Maximum size of a response, in bytes. */
const largest = 1024 * 1024;
const pageSize = 100;
/** The maximum of one payment by IMPS; larger ones use NEFT. */
const mostByImps = 5_00_000_00;
const payout = z.object({
  id: z.string().regex(/^pout_\w{1,40}$/),
  amount: z.int(),
  currency: z.literal('INR'),
  status: z.string().max(40),
  utr: z.string().max(60).nullish(),
  reference_id: z.string().max(100).nullish(),
  // RazorpayX returns an empty list if there are none.
  notes: z.object({ withdrawal: z.unknown() }).partial().catch({}),
  status_details: z
    .object({ description: z.string().nullish(), reason: z.string().nullish() })
    .nullish()
    .catch(null),
  created_at: z.int(),
});
const anId = z.uuid();
const registered = z.object({ id: z.string().regex(/^(cont|fa)_\w{1,40}$/) });
const refusal = z.object({
  error: z.object({ description: z.string().nullish(), reason: z.string().nullish() }),
});
const page = z.object({ items: z.array(payout).max(pageSize) });

/** An unknown state, such as a new one, is not final. */
const states: Partial<Record<string, PayerRecord['state']>> = {
  processed: 'paid',
  reversed: 'not_paid',
  failed: 'not_paid',
  rejected: 'not_paid',
  cancelled: 'not_paid',
};

/** A payout in RazorpayX's format, in responses and webhooks. Undefined: it is invalid. */
export function recordOf(value: unknown): PayerRecord | undefined {
  const { data } = payout.safeParse(value);
  if (!data) return undefined;
  const { description, reason } = data.status_details ?? {};
  return {
    id: data.id,
    // The owner of the account may make other payments from it, with other references.
    attemptId: anId.safeParse(data.reference_id).data ?? null,
    withdrawal: anId.safeParse(data.notes.withdrawal).data ?? null,
    paise: data.amount,
    state: states[data.status] ?? 'open',
    reference: data.utr?.trim().slice(0, 50) || null,
    status: data.status,
    why: wordsOf(description, reason) || data.status,
    createdAt: new Date(data.created_at * 1000),
  };
}

/**
 * RazorpayX accepts names of Latin letters, digits and a few signs. Accents are removed; a name in another script cannot be sent.
 * Undefined: the name cannot be sent.
 */
function latinName(name: string): string | undefined {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[,:+]/g, ' ')
    .replaceAll("'", '’')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[^A-Za-z0-9.]+$/, '');
  return /^[A-Za-z0-9 ’_/().-]{3,120}$/.test(plain) ? plain : undefined;
}

/** Payouts of RazorpayX (docs/decisions/0068-razorpayx.md): https://razorpay.com/docs/api/x/payouts. */
export function razorpayx(
  { url, keyId, keySecret, account }: RazorpayxSettings,
  /** Timeout of a request, in milliseconds. */
  longest = 20_000,
): ApiPayer {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  /** Messages of its errors contain nothing of the request, and of the response only the error description. */
  async function request(
    path: string,
    { body, key }: { body?: object; key?: string } = {},
  ): Promise<unknown> {
    const what = `${body ? 'POST' : 'GET'} ${path.split('?', 1)[0]}`;
    const request: RequestInit = {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'x-payout-idempotency': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(longest),
    };
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${url}${path}`, request);
      text = await textOf(answer);
    } catch (error) {
      const { name, code } = causeOf(error);
      throw new PayerUnclear(`RazorpayX did not answer ${what}: ${code ?? name}`);
    }
    const said = parsed(text);
    if (answer.status === 200) return said;
    // 408 and 409: it may still be doing it.
    if (answer.status < 400 || answer.status >= 500 || [408, 409].includes(answer.status))
      throw new PayerUnclear(`RazorpayX answered ${what} with ${answer.status}`);
    const { description, reason } = refusal.safeParse(said).data?.error ?? {};
    const why = wordsOf(description, reason) || 'no reason was given';
    // Also returned for unknown IP addresses, which is not an error of the payment.
    const isFinal =
      answer.status === 400 && reason === 'input_validation_failed' && !/\bIPs?\b/.test(description ?? '');
    throw new PayerRefused(`RazorpayX refused ${what} with ${answer.status}: ${why}`, { isFinal });
  }

  function theRecord(value: unknown, what: string): PayerRecord {
    const record = recordOf(value);
    if (!record) throw new PayerUnclear(`RazorpayX answered ${what} with what is no payout`);
    return record;
  }

  async function listPayouts(query: Record<string, string>): Promise<PayerRecord[]> {
    const parameters = new URLSearchParams({ account_number: account, ...query });
    const { data } = page.safeParse(await request(`/v1/payouts?${parameters}`));
    if (!data) throw new PayerUnclear('RazorpayX answered GET /v1/payouts with what is no list of payouts');
    return data.items.map((payout) => theRecord(payout, 'GET /v1/payouts'));
  }

  async function registeredId(path: string, body: object): Promise<string> {
    const { data } = registered.safeParse(await request(path, { body }));
    if (!data) throw new PayerUnclear(`RazorpayX answered POST ${path} with what has no id`);
    return data.id;
  }

  return {
    name: 'razorpayx',
    given: 'sent',
    takesName: (name) => latinName(name) !== undefined,
    async register(creatorId, destination) {
      // The name must be the same at each try: a different one would create another contact.
      const name = destination.kind === 'bank' ? latinName(destination.name) : 'Creator';
      if (!name)
        throw new PayerRefused(
          'The bank’s network takes the name of an account in Latin letters only: enter it as in the passbook.',
          { isFinal: true },
        );
      const contact = { name: name.slice(0, 50).trim(), type: 'vendor', reference_id: creatorId };
      const contactId = await registeredId('/v1/contacts', contact);
      const to =
        destination.kind === 'upi'
          ? { account_type: 'vpa', vpa: { address: destination.vpa } }
          : {
              account_type: 'bank_account',
              bank_account: { name, ifsc: destination.ifsc, account_number: destination.account },
            };
      const fundAccount = await registeredId('/v1/fund_accounts', { contact_id: contactId, ...to });
      return `${destination.kind} ${fundAccount}`;
    },
    async pay({ id, paise, withdrawal }, to) {
      const [kind, fundAccount] = to.split(' ');
      const body = {
        account_number: account,
        fund_account_id: fundAccount,
        amount: paise,
        currency: 'INR',
        mode: kind === 'upi' ? 'UPI' : paise > mostByImps ? 'NEFT' : 'IMPS',
        purpose: 'payout',
        queue_if_low_balance: true,
        reference_id: id,
        narration: 'Creator earnings',
        notes: { withdrawal },
      };
      return theRecord(await request('/v1/payouts', { body, key: id }), 'POST /v1/payouts');
    },
    async find(attemptId) {
      const payouts = await listPayouts({ reference_id: attemptId });
      return payouts.find((payout) => payout.attemptId === attemptId);
    },
    async look(payerId) {
      return theRecord(await request(`/v1/payouts/${payerId}`), 'GET /v1/payouts/:id');
    },
    async *listSince(time) {
      // Newest first: payments made in the meantime push others to the next page, where they are returned twice.
      const range = { from: String(Math.floor(time.getTime() / 1000)), count: String(pageSize) };
      for (let skip = 0; ; skip += pageSize) {
        const payouts = await listPayouts({ ...range, skip: String(skip) });
        if (payouts.length > 0) yield payouts;
        if (payouts.length < pageSize) return;
      }
    },
  };
}

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > largest) throw new Error(`the answer is larger than ${largest} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The message of a failed parser contains the text that it could not parse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): { name: string; code: string | undefined } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { name = 'Error', code } = cause as { name?: string; code?: string };
  return { name, code: typeof code === 'string' ? code : undefined };
}

/** The payer's message, without account numbers and UPI ids that it may repeat. */
function wordsOf(description: string | null | undefined, reason: string | null | undefined): string {
  return (description?.trim() || reason || '')
    .replaceAll(/\S+@\S+/g, '…')
    .replaceAll(/\d{6,}/g, '…')
    .slice(0, 300);
}
