import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '#server/platform/ids.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { standInSettings } from '#testing/servers/razorpayx.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { openOutbox } from '../mail/outbox.ts';
import { makeBatch, sendBatch } from '../payers/batches.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { checkDestinations } from '../withdrawals/destination-check.ts';
import { listSharing, setDestination, waitingFor } from './destination.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const start = new Date();
const upi = { kind: 'upi', vpa: 'asha.rao@okaxis' };
const bank = { kind: 'bank', account: '50100123456789', ifsc: 'HDFC0001234', name: 'Asha Rao' };
const url = '/api/payout/destination';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = start;
  asha = await signUpSomebody(server);
});

const pass = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
const from = (at: TestServer, { headers }: Pick<Person, 'headers'>) => ({
  put: (payload: object) => at.inject({ method: 'PUT', url, payload, headers }),
  get: async () => (await at.inject({ method: 'GET', url, headers })).json().data,
  remove: () => at.inject({ method: 'DELETE', url, headers }),
});
/** Logs in again, so that the session counts as confirmed. */
async function freshly({ id, email }: Person, at = server): Promise<Person> {
  const payload = { email, password: 'correct horse' };
  const { data } = (await at.inject({ method: 'POST', url: '/api/signin', payload })).json();
  return { id, email, headers: { authorization: `Bearer ${data}` } } as Person;
}
const kindsOf = async (personId: string, at = server) =>
  (
    await at.db
      .selectFrom('notifications')
      .select('kind')
      .where('person_id', '=', personId)
      .orderBy('id')
      .execute()
  )
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'new_device');
const contextOf = (at: TestServer) => ({
  db: at.db,
  clock: () => at.now.value,
  config: at.context.config,
  keyring: at.keyring,
  outbox: openOutbox(at.keyring, at !== server),
});
const freeOfHold = (at: TestServer, personId: string) =>
  at.db
    .updateTable('payout_destinations')
    .set({ held_until: null })
    .where('person_id', '=', personId)
    .execute();
const waitsFor = (personId: string, at = server) => waitingFor(contextOf(at), personId);

describe('a payout destination (decisions §8)', () => {
  it('is stored encrypted and shown masked', async () => {
    const { put, get } = from(server, asha);
    expect(await get()).toBeNull();
    expect((await put(upi)).json().data).toMatchObject({ kind: 'upi', masked: 'as•••@okaxis', bank: null });
    expect(await get()).toMatchObject({ kind: 'upi', masked: 'as•••@okaxis' });
    await put(bank);
    expect(await get()).toMatchObject({ kind: 'bank', masked: '••••6789', bank: 'HDFC Bank' });
  });

  it('is in no table of the database in plain text, nor as a hash that could be guessed', async () => {
    pass(11 * minute);
    for (const params of [upi, bank]) {
      const { confirmation } = (
        await server.inject({
          method: 'POST',
          url: '/api/confirm',
          payload: { act: 'set_destination', params, password: 'correct horse' },
          headers: asha.headers,
        })
      ).json();
      // A second confirmation remains unused.
      await server.inject({
        method: 'POST',
        url: '/api/confirm',
        payload: { act: 'set_destination', params, password: 'correct horse' },
        headers: asha.headers,
      });
      const headers = { ...asha.headers, 'x-confirmation': confirmation };
      expect((await server.inject({ method: 'PUT', url, payload: params, headers })).statusCode).toBe(200);
    }
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
      server.db,
    );
    let dump = '';
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(
        server.db,
      );
      dump += rows.map(({ row }) => row).join('\n');
    }
    expect(dump).toContain(asha.id);
    const fields = (input: object) =>
      Object.entries(input).toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const planted of ['asha.rao@okaxis', '50100123456789']) {
      expect(dump).not.toContain(planted);
      expect(dump).not.toContain(Buffer.from(planted).toString('hex'));
    }
    for (const input of [upi, bank]) {
      const guess = createHash('sha256')
        .update(JSON.stringify(['set_destination', fields(input)]))
        .digest('hex');
      expect(dump).not.toContain(guess);
    }
  });

  it.each([
    [{ ...upi, vpa: ' Asha.Rao@OkAxis ' }, 'as•••@okaxis'],
    [{ ...upi, vpa: '98@ybl' }, '9•••@ybl'],
    [{ ...upi, vpa: 'asha@kotak811' }, 'as•••@kotak811'],
    [{ ...bank, account: '5010 0123 4567 89', ifsc: 'hdfc0001234' }, '••••6789'],
    [{ ...bank, name: 'आशा राव' }, '••••6789'],
    [{ ...bank, name: 'क्\u200dष राव' }, '••••6789'],
    [{ ...bank, name: 'M/S A2Z TRADERS' }, '••••6789'],
    [{ ...bank, name: 'SHARMA & SONS (HUF)' }, '••••6789'],
    [{ ...bank, name: 'RAMESH S/O SURESH' }, '••••6789'],
    [{ ...bank, name: 'A, B & CO' }, '••••6789'],
    [{ ...bank, name: '3M INDIA LTD.' }, '••••6789'],
    [{ ...bank, name: 'Ｓｈａｒｍａ\n&\tSons' }, '••••6789'],
    [{ ...bank, account: '५०१०० १२३४५ ६७८९', ifsc: 'HDFC०००१२३४' }, '••••6789'],
    [{ ...upi, vpa: '९८७६५४३२१०@okaxis' }, '98•••@okaxis'],
    [{ ...upi, account: '1', ifsc: 'none' }, 'as•••@okaxis'],
  ])('is accepted in any usual spelling: %o', async (payload, masked) => {
    expect((await from(server, asha).put(payload)).json().data).toMatchObject({ masked });
  });

  it("is refused if the payer's API does not accept the name of its account", async () => {
    const paying = await startTestServer({ ROLE: 'web', ...standInSettings('http://127.0.0.1:9') });
    try {
      const { put, get } = from(paying, await signUpSomebody(paying));
      const refused = await put({ ...bank, name: 'आशा राव' });
      expect([refused.statusCode, refused.json()]).toMatchObject([
        400,
        {
          code: 'invalid_input',
          field: 'name',
          error: 'Please enter the name of the account in Latin letters (A to Z), as in the passbook.',
        },
      ]);
      expect(await get()).toBeNull();
      // Latin letters with accents are accepted; a UPI id has no name.
      for (const taken of [
        { ...bank, name: "Ásha O'Rao & Sons" },
        { ...bank, name: 'M/S A, B & CO (HUF)' },
        { ...upi, name: 'आशा राव' },
      ])
        expect((await put(taken)).statusCode).toBe(200);
    } finally {
      await paying.close();
    }
  });

  it.each([
    [{ kind: 'paypal' }, 'kind'],
    [{ kind: 'upi' }, 'vpa'],
    [{ ...upi, vpa: 'asha' }, 'vpa'],
    [{ ...upi, vpa: 'asha@' }, 'vpa'],
    [{ ...upi, vpa: 'asha@mail.example' }, 'vpa'],
    [{ ...bank, account: '12345678' }, 'account'],
    [{ ...bank, account: '1234567890123456789' }, 'account'],
    [{ ...bank, ifsc: 'HDFC1001234' }, 'ifsc'],
    [{ ...bank, ifsc: undefined }, 'ifsc'],
    [{ ...bank, name: '1' }, 'name'],
    [{ ...bank, name: '=cmd(1)' }, 'name'],
    [{ ...bank, name: '-Asha' }, 'name'],
    [{ ...bank, name: '＝Asha' }, 'name'],
    [{ ...bank, name: '<b>Asha</b>' }, 'name'],
  ])('is refused with one sentence if it is wrong: %o', async (payload, field) => {
    const answer = await from(server, asha).put(payload);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_input', field }),
    ]);
    expect(await from(server, asha).get()).toBeNull();
  });

  it.each([
    [
      { ...bank, name: 'Asha; Rao' },
      'The name of an account cannot contain ;. Please enter it as the bank knows it.',
    ],
    [
      { ...bank, name: 'Asha "Rao"' },
      'The name of an account cannot contain ". Please enter it as the bank knows it.',
    ],
    [
      { ...bank, name: 'Asha\u0007Rao' },
      'The name of an account cannot contain U+0007. Please enter it as the bank knows it.',
    ],
    [
      { ...bank, ifsc: 'hdfco001234' },
      'The fifth character of an IFSC is a zero and not the letter O: HDFC0001234.',
    ],
    [{ ...bank, ifsc: 'HDFCO00123' }, 'Please enter an IFSC of 11 characters, such as HDFC0001234.'],
  ])('is refused with a sentence that names the wrong character: %o', async (payload, error) => {
    expect((await from(server, asha).put(payload)).json()).toMatchObject({ code: 'invalid_input', error });
  });

  it('is accepted with an IFSC that ended with a merger, and says which bank has its accounts now', async () => {
    const { put, get } = from(server, asha);
    const { data } = (await put({ ...bank, ifsc: 'SYNB0001234' })).json();
    expect(data).toMatchObject({ bank: 'Syndicate Bank', mergedInto: 'Canara Bank' });
    expect(await get()).toMatchObject({ mergedInto: 'Canara Bank' });
    expect((await put({ ...bank, ifsc: 'SBHY0020333' })).json().data).toMatchObject({
      mergedInto: 'State Bank of India',
    });
    expect((await put(bank)).json().data).toMatchObject({ bank: 'HDFC Bank', mergedInto: null });
  });

  it('does not change when the same one is sent again, also twenty times in parallel', async () => {
    pass(8 * day);
    const { put } = from(server, await freshly(asha));
    const first = (await put(upi)).json();
    expect(first.data.heldUntil).toBe(new Date(server.now.value.getTime() + 72 * hour).toISOString());
    pass(minute);
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(upi)));
    for (const answer of answers) expect(answer.json().data).toEqual(first.data);
    expect(await kindsOf(asha.id)).toEqual(['destination_set']);
  });

  it('holds payouts for 72 hours after a change, also if it was removed before', async () => {
    pass(8 * day);
    const { put, remove, get } = from(server, await freshly(asha));
    await put(upi);
    expect(await waitsFor(asha.id)).toBe('on_hold');
    pass(minute);
    const changed = server.now.value;
    expect((await put(bank)).json().data.heldUntil).toBe(
      new Date(changed.getTime() + 72 * hour).toISOString(),
    );
    expect(await waitsFor(asha.id)).toBe('on_hold');
    pass(72 * hour);
    expect(await waitsFor(asha.id)).toBeNull();
    expect((await get()).heldUntil).toBeNull();
    const again = from(server, await freshly(asha));
    expect((await again.remove()).statusCode).toBe(200);
    expect([await again.get(), await waitsFor(asha.id)]).toEqual([null, 'waiting_for_destination']);
    expect((await again.remove()).statusCode).toBe(200);
    pass(minute);
    await again.put(bank);
    expect(await waitsFor(asha.id)).toBe('on_hold');
    expect(await kindsOf(asha.id)).toEqual([
      'destination_set',
      'destination_set',
      'destination_removed',
      'destination_set',
    ]);
    await remove();
  });

  it.each([
    ['new', 0],
    ['years old', 1000 * day],
  ])('holds payouts for 72 hours if it is the first one of an account that is %s', async (_, age) => {
    pass(age);
    await from(server, await freshly(asha)).put(upi);
    expect(await waitsFor(asha.id)).toBe('on_hold');
    pass(72 * hour - 1);
    expect(await waitsFor(asha.id)).toBe('on_hold');
    pass(1);
    expect(await waitsFor(asha.id)).toBeNull();
  });

  it('cannot be changed or removed with a stolen token, nor with the confirmation of another destination', async () => {
    pass(11 * minute);
    const { put, remove } = from(server, asha);
    for (const answer of [await put(upi), await remove()])
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'confirmation_required']);
    const { confirmation } = (
      await server.inject({
        method: 'POST',
        url: '/api/confirm',
        payload: { act: 'set_destination', params: upi, password: 'correct horse' },
        headers: asha.headers,
      })
    ).json();
    const headers = { ...asha.headers, 'x-confirmation': confirmation };
    const other = { kind: 'upi', vpa: 'thief@okaxis' };
    expect((await server.inject({ method: 'PUT', url, payload: other, headers })).statusCode).toBe(403);
    expect(await from(server, asha).get()).toBeNull();
    expect((await server.inject({ method: 'PUT', url, payload: upi, headers })).statusCode).toBe(200);
    expect((await server.inject({ method: 'PUT', url, payload: upi, headers })).statusCode).toBe(403);
  });

  it('can be set and removed at once after a password reset by a link, with a fresh confirmation', async () => {
    await server.db
      .updateTable('people')
      .set({ password_reset_at: server.now.value })
      .where('id', '=', asha.id)
      .execute();
    const { put, remove } = from(server, await freshly(asha));
    expect((await put(upi)).statusCode).toBe(200);
    expect((await remove()).statusCode).toBe(200);
    pass(11 * minute);
    expect((await remove()).json().code).toBe('confirmation_required');
  });

  it('that was copied from another row cannot be read, and the owner is asked to enter it again', async () => {
    const other = await signUpSomebody(server, 'Binod Sen');
    await from(server, asha).put(upi);
    await from(server, other).put(bank);
    const { details } = await server.db
      .selectFrom('payout_destinations')
      .select('details')
      .where('person_id', '=', asha.id)
      .executeTakeFirstOrThrow();
    await server.db
      .updateTable('payout_destinations')
      .set({ details })
      .where('person_id', '=', other.id)
      .execute();
    const shown = await server.inject({ method: 'GET', url, headers: other.headers });
    expect([shown.statusCode, shown.json()]).toEqual([200, { status: 'ok', data: null, unreadable: true }]);
    expect(await waitsFor(other.id)).toBe('waiting_for_destination');
    await from(server, other).put(upi);
    expect((await server.inject({ method: 'GET', url, headers: other.headers })).json()).toMatchObject({
      data: { masked: 'as•••@okaxis' },
      unreadable: false,
    });
  });

  it('holds payouts again after a change of the IFSC alone, since another account may have this number', async () => {
    const { put } = from(server, asha);
    await put(bank);
    await freeOfHold(server, asha.id);
    expect((await put({ ...bank, ifsc: 'HDFC0004321' })).json().data.heldUntil).not.toBeNull();
    expect(await kindsOf(asha.id)).toEqual(['destination_set', 'destination_set']);
  });

  it('that several accounts share is marked, whatever the names and the branch', async () => {
    const other = await signUpSomebody(server, 'Binod Sen');
    const third = await signUpSomebody(server, 'Chitra Das');
    const { account, ifsc } = { account: '60200987654321', ifsc: 'SBIN0000001' };
    await from(server, asha).put({ kind: 'bank', account, ifsc, name: 'Asha Rao' });
    await from(server, other).put({ kind: 'bank', account, ifsc: 'SBIN0000002', name: 'Binod Sen' });
    await from(server, third).put({ kind: 'upi', vpa: 'chitra.das@okicici' });
    expect(await listSharing(server.db, [asha.id, other.id, third.id])).toEqual(new Set([asha.id, other.id]));
  });

  it('is deleted with the account', async () => {
    await from(server, asha).put(upi);
    await server.db.deleteFrom('people').where('id', '=', asha.id).execute();
    const rows = await server.db
      .selectFrom('payout_destinations')
      .selectAll()
      .where('person_id', '=', asha.id)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('a name that the payer does not accept, saved before the site used this payer', () => {
  const devanagari = { ...bank, kind: 'bank', name: 'आशा राव' } as const;
  let site: Awaited<ReturnType<typeof startMailingServer>>;
  beforeAll(async () => {
    site = await startMailingServer(standInSettings('http://127.0.0.1:9'));
  });
  afterAll(() => site.close());
  const paidBy = (payer: 'file' | 'razorpayx') => {
    const context = contextOf(site.server);
    return { ...context, config: { ...context.config, payouts: { ...context.config.payouts, payer } } };
  };
  async function saved(destination: Parameters<typeof setDestination>[2] = devanagari): Promise<Person> {
    const person = await signUpSomebody(site.server);
    const email_verified_at = new Date(site.server.now.value.getTime() - 8 * day);
    const values = { email_verified_at, language: 'en' };
    await site.server.db.updateTable('people').set(values).where('id', '=', person.id).execute();
    await setDestination(paidBy('file'), person.id, destination);
    await freeOfHold(site.server, person.id);
    return person;
  }
  const told = async ({ id, email }: Person) => {
    const before = site.smtp.mails.length;
    site.server.now.value = new Date(site.server.now.value.getTime() + 20 * minute);
    await site.sendAll(site.server.now.value);
    const mails = site.smtp.mails.slice(before).filter(({ to }) => to.includes(email));
    const notices = (await kindsOf(id, site.server)).filter((kind) => kind === 'name_needed').length;
    return { mails: mails.filter(({ text }) => text.includes('in Latin letters')).length, notices };
  };

  it('holds a payout, and is shown to its person, until the same account has another name', async () => {
    const person = await saved();
    expect(await waitingFor(paidBy('file'), person.id)).toBeNull();
    expect(await waitingFor(paidBy('razorpayx'), person.id)).toBe('waiting_for_name');
    const { get, put } = from(site.server, person);
    expect(await get()).toMatchObject({ masked: '••••6789', nameNotTaken: true, heldUntil: null });
    await requestedWithdrawal(site.server, person.id, '2025-01');
    const list = `/api/user-earnings/history/${person.id}`;
    const { headers } = person;
    const { data } = (await site.server.inject({ method: 'GET', url: list, headers })).json().data;
    expect(data).toMatchObject([{ payout: 'waiting_for_name' }]);
    expect((await put(bank)).json().data).toMatchObject({ nameNotTaken: false, heldUntil: null });
    expect(await waitingFor(paidBy('razorpayx'), person.id)).toBeNull();
  });

  it('is in no batch of this payer, and stays in a batch that was made for another one', async () => {
    const person = await saved();
    const { id } = await requestedWithdrawal(site.server, person.id, '2025-03');
    const operator = { id: newKey(), name: 'Ravi' };
    const which = { withdrawals: [id] };
    await expect(makeBatch(paidBy('razorpayx'), operator, which)).rejects.toMatchObject({
      code: 'nothing_to_pay',
    });
    const { _id } = await makeBatch(paidBy('file'), operator, which);
    const { data, file } = await sendBatch(paidBy('razorpayx'), operator, { id: _id, again: false });
    expect(data.payments).toMatchObject([{ withdrawalId: id, state: 'exported' }]);
    expect(file).toContain('आशा राव');
  });

  it('does not prevent an operator from paying by hand', async () => {
    const person = await saved();
    const { id } = await requestedWithdrawal(site.server, person.id, '2025-02');
    await completeWithdrawal(paidBy('razorpayx'), id, { reference: 'UTR by hand', operatorId: null });
  });

  it('is reported once, by notification and mail, after the payer changed', async () => {
    const [person, latin, upiOnly] = [await saved(), await saved(bank as never), await saved(upi as never)];
    await told(person);
    await checkDestinations(paidBy('file'));
    expect(await told(person)).toEqual({ mails: 0, notices: 0 });
    await Promise.all([checkDestinations(paidBy('razorpayx')), checkDestinations(paidBy('razorpayx'))]);
    expect(await told(person)).toEqual({ mails: 1, notices: 1 });
    for (const other of [latin, upiOnly]) expect((await told(other)).notices).toBe(0);
    await checkDestinations(paidBy('razorpayx'));
    expect(await told(person)).toEqual({ mails: 0, notices: 1 });
    // Not again if only the fingerprint is made again.
    const fingerprint = Buffer.concat([Buffer.of(200), randomBytes(32)]);
    await site.server.db.updateTable('payout_destinations').set({ fingerprint }).execute();
    await checkDestinations(paidBy('razorpayx'));
    expect(await told(person)).toEqual({ mails: 0, notices: 1 });
  });
});

describe('a fingerprint of another form', () => {
  const fingerprints = (personId: string) =>
    server.db
      .selectFrom('payout_destinations')
      .select(['fingerprint', 'earlier'])
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow();

  it('is made again by the job, also in the histories of others and in payments', async () => {
    const old = Buffer.concat([Buffer.of(200), randomBytes(32)]);
    const [other, had] = [await signUpSomebody(server, 'Other'), await signUpSomebody(server, 'Had')];
    const own = { ...bank, account: `${Date.now()}` };
    for (const person of [asha, other]) await from(server, person).put({ ...own, name: 'Somebody' });
    for (const params of [own, upi]) await from(server, had).put(params);
    const { fingerprint: next } = await fingerprints(asha.id);
    await freeOfHold(server, asha.id);
    const { id } = await requestedWithdrawal(server, asha.id, '2025-01');
    await completeWithdrawal(contextOf(server), id, { reference: `UTR ${newKey()}`, operatorId: null });
    await server.db
      .updateTable('payout_destinations')
      .set({ fingerprint: old })
      .where('person_id', '=', asha.id)
      .execute();
    await server.db
      .updateTable('payout_destinations')
      .set({ earlier: [old] })
      .where('person_id', '=', had.id)
      .execute();
    await server.db
      .updateTable('payout_attempts')
      .set({ fingerprint: old })
      .where('withdrawal_id', '=', id)
      .execute();
    expect(await listSharing(server.db, [asha.id, other.id])).toEqual(new Set());
    await Promise.all([checkDestinations(contextOf(server)), checkDestinations(contextOf(server))]);
    expect(await fingerprints(asha.id)).toEqual({ fingerprint: next, earlier: [] });
    expect((await fingerprints(had.id)).earlier).toEqual([next]);
    const paid = server.db
      .selectFrom('payout_attempts')
      .select('fingerprint')
      .where('withdrawal_id', '=', id);
    expect(await paid.execute()).toEqual([{ fingerprint: next }]);
    expect(await listSharing(server.db, [asha.id, other.id])).toEqual(new Set([asha.id, other.id]));
  });
});

describe('where mail is sent', () => {
  let site: Awaited<ReturnType<typeof startMailingServer>>;
  beforeAll(async () => {
    site = await startMailingServer();
  });
  afterAll(() => site.close());
  const verify = (personId: string, at: Date) =>
    site.server.db.updateTable('people').set({ email_verified_at: at }).where('id', '=', personId).execute();
  const ago = (milliseconds: number) => new Date(site.server.now.value.getTime() - milliseconds);

  it('people are not paid before their address is verified', async () => {
    const person = await signUpSomebody(site.server);
    await from(site.server, person).put({ kind: 'upi', vpa: 'unproven@okaxis' });
    expect(await waitsFor(person.id, site.server)).toBe('waiting_for_address');
    const { id } = await requestedWithdrawal(site.server, person.id, '2025-01');
    const context = contextOf(site.server);
    await expect(
      completeWithdrawal(context, id, { reference: 'UTR 1', operatorId: null }),
    ).rejects.toMatchObject({ code: 'payout_waits', message: expect.stringContaining('not verified') });
    await verify(person.id, site.server.now.value);
    await freeOfHold(site.server, person.id);
    await completeWithdrawal(context, id, { reference: 'UTR 1', operatorId: null });
  });

  it('a change is reported by mail, with the destination masked', async () => {
    const person = await signUpSomebody(site.server);
    await verify(person.id, ago(8 * day));
    await from(site.server, person).put(bank);
    // Notices are delayed by a minute, to bundle them.
    await site.sendAll(new Date(site.server.now.value.getTime() + 5 * minute));
    const mail = site.smtp.mails.findLast(({ to }) => to.includes(person.email));
    expect(mail?.text).toContain('HDFC Bank ••••6789');
    expect(JSON.stringify(site.smtp.mails)).not.toContain('50100123456789');
  });
});
