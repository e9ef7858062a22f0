import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/ledger-entries.ts';
import { newId } from '#server/platform/ids.ts';
import { contextOn } from '#testing/context.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { accounts, type Step } from './ledger.ts';
import { exportLedger, listLedger, showLedgerEntry } from './ledger-entries.ts';

let server: TestServer;
let asha: Person;
let ravi: Person;
const gone = newId(new Date());
beforeAll(async () => {
  server = await startTestServer();
  [asha, ravi] = await Promise.all([signUpSomebody(server, 'Asha'), signUpSomebody(server, 'Ravi')]);
  await makeOperator(server, ravi.id);
});
afterAll(() => server.close());

async function withdraw(creator_id: string, paise: number, steps: [Step, string][]): Promise<string> {
  const id = newId(new Date());
  const [requested_at, month] = [new Date(), `20${String(30 + paise).padStart(2, '0')}-01`];
  await server.db
    .insertInto('withdrawals')
    .values({ id, creator_id, month, coins: 0, paise, state: 'pending', requested_at })
    .execute();
  for (const [step, at] of steps) {
    const posted = { posted_at: new Date(at), posted_by: step === 'requested' ? null : ravi.id };
    const values = { id: newId(new Date(at)), withdrawal_id: id, step, ...accounts[step], paise, ...posted };
    await server.db.insertInto('ledger_transactions').values(values).execute();
  }
  return id;
}

const ask = (path: string, who: Person = ravi) =>
  server.inject({ url: `/api/operator/ledger${path}`, headers: who.headers });
const listed = async (query = ''): Promise<LedgerEntry[]> => (await ask(`/entries?${query}`)).json().data;

describe('the ledger', () => {
  beforeAll(async () => {
    await withdraw(asha.id, 1, [
      ['requested', '2026-03-31T18:29:59Z'],
      ['completed', '2026-03-31T18:30:00Z'],
    ]);
    await withdraw(gone, 2, [
      ['requested', '2026-05-31T18:29:59Z'],
      ['rejected', '2026-05-31T18:30:00Z'],
    ]);
  });
  const all = ['2 rejected', '2 requested', '1 completed', '1 requested'];
  const entries = async (query?: string) =>
    (await listed(query)).map(({ paise, step }) => `${paise} ${step}`);

  it.each([
    ['all by default, newest first', '', all],
    ['by username', () => `about=@${asha.username.toUpperCase()}`, all.slice(2)],
    ['by the id of a deleted account', `about=${gone}`, all.slice(0, 2)],
    ['by step', 'step=requested', ['2 requested', '1 requested']],
    ['by the month in which it was posted, in the time zone of the site', 'month=2026-05', ['2 requested']],
    ['by several at once', `about=${gone}&step=rejected&month=2026-06`, ['2 rejected']],
  ])('is listed %s', async (_, query, found) => {
    expect(await entries(typeof query === 'string' ? query : query())).toEqual(found);
  });

  it('is paged with its filters', async () => {
    const first = (await ask('/entries?step=requested&limit=1')).json();
    const second = (await ask(`/entries?step=requested&limit=1&cursor=${first.nextCursor}`)).json();
    expect([first.data[0].paise, second.data[0].paise, second.nextCursor]).toEqual([2, 1, null]);
  });

  it('shows an entry with all of its withdrawal, oldest first, also of a deleted account', async () => {
    const [rejected] = await listed();
    const { data } = (await ask(`/entries/${rejected?._id}`)).json();
    expect(data).toMatchObject({
      ...{ step: 'rejected', debit: 'creator_payable', credit: 'earnings_expense', paise: 2 },
      ...{ userId: gone, username: '', postedBy: ravi.username, month: '2032-01' },
    });
    expect(data.all.map(({ step, postedBy }: LedgerEntry) => [step, postedBy])).toEqual([
      ['requested', null],
      ['rejected', ravi.username],
    ]);
    expect((await ask(`/entries/${gone}`)).statusCode).toBe(404);
  });

  it('is saved as CSV by financial year and filters, oldest first', async () => {
    const csv = async (path: string) => {
      const answer = await ask(`/export/${path}`);
      expect(answer.headers['content-type']).toMatch(/^text\/csv/);
      return answer.body
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
    };
    const [heads, ...rows] = await csv('2026');
    expect(heads?.slice(0, 8)).toEqual(
      ['postedAt', 'step', 'debit', 'credit', 'rupees', 'month', 'username', 'userId'].map(
        (one) => `"${one}"`,
      ),
    );
    expect(rows.map((row) => [row[0], row[1], row[4]])).toEqual([
      ['"2026-03-31T18:30:00.000Z"', '"completed"', '"0.01"'],
      ['"2026-05-31T18:29:59.000Z"', '"requested"', '"0.02"'],
      ['"2026-05-31T18:30:00.000Z"', '"rejected"', '"0.02"'],
    ]);
    expect(await csv(`2025?about=${asha.username}`)).toHaveLength(2);
    expect(await csv('2026?month=2026-05&step=requested')).toHaveLength(2);
  });

  it('is not saved in part: more entries than the limit are refused', async () => {
    const context = contextOn(server.db);
    await expect(exportLedger(context, { year: 2026 }, 2)).rejects.toThrow('More than 2 entries match.');
    expect((await exportLedger(context, { year: 2026 }, 3)).name).toBe('ledger-2026.csv');
  });

  it.each([
    ['/entries?step=eaten', 400],
    ['/entries?month=May', 400],
    ['/entries?about=nobody.here', 404],
    ['/export/1999', 400],
    ['/export/2026?about=nobody.here', 404],
  ])('%s is refused with %i', async (path, status) => {
    expect((await ask(path)).statusCode).toBe(status);
  });

  it('is 404 without the operator role', async () => {
    const [entry] = await listed();
    for (const path of ['/entries', `/entries/${entry?._id}`, '/export/2026'])
      expect((await ask(path, asha)).statusCode).toBe(404);
  });
});

it('the first page of very many entries comes from an index, by any filter, and so does each page of an export', async () => {
  await sql`insert into withdrawals (id, creator_id, month, coins, paise, state, requested_at)
    select gen_random_uuid(), gen_random_uuid(), '1999-01', 0, 100, 'pending', timestamptz '2020-01-01' + n * interval '1 min'
    from generate_series(1, 10000) n`.execute(server.db);
  await sql`insert into ledger_transactions (id, withdrawal_id, step, debit, credit, paise, posted_at)
    select gen_random_uuid(), id, step, 'payouts', 'creator_payable', 100, requested_at + n * interval '1 day'
    from (select id, requested_at, row_number() over () as nth from withdrawals where month = '1999-01') w,
      lateral (values (0, 'requested'), (1, case when nth % 1009 = 0 then 'rejected' else 'completed' end)) steps(n, step)`.execute(
    server.db,
  );
  for (const table of ['withdrawals', 'ledger_transactions'])
    await sql`analyze ${sql.table(table)}`.execute(server.db);
  const { db, plans } = explained(server.url);
  const context = contextOn(db);
  const someone = await db
    .selectFrom('withdrawals')
    .select('creator_id')
    .where('month', '=', '1999-01')
    .limit(1)
    .executeTakeFirstOrThrow();
  const filters = [
    ...[
      {},
      { step: 'completed' },
      { step: 'rejected' },
      { month: '2020-01' },
      { creatorId: someone.creator_id },
    ],
    ...[
      { step: 'rejected', month: '2019-12' },
      { creatorId: someone.creator_id, step: 'rejected' },
    ],
  ] as const;
  for (const filter of filters) await listLedger(context, { limit: 24, cursor: undefined, ...filter });
  const [first] = (await listLedger(context, { limit: 1, cursor: undefined })).data;
  await showLedgerEntry(context, first?._id ?? '');
  for await (const _ of (await exportLedger(context, { year: 2020 })).bytes) break;
  for (const plan of (await plans()).slice(1))
    expect(plan).not.toMatch(/Seq Scan on (withdrawals|ledger_transactions)/);
});
