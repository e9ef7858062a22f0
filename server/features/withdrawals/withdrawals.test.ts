import { sql, type Updateable } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { earnReleased, personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { viewsAt } from '#testing/fixtures/months.ts';
import { madeBatch, payableAt } from '#testing/fixtures/payouts.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger, lastAudit, runAudit } from '../earnings/audit.ts';
import { closeMonths } from '../months/closing.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { deleteReel } from '../reels/deletion.ts';
import { createWatchRecorder } from '../views/recorder.ts';
import { recordShowings } from '../views/views.ts';
import { listWithdrawals, rejectWithdrawal } from './review.ts';
import { hasPendingWithdrawal, withdraw } from './withdrawals.ts';

const zone = 'Asia/Kolkata';
const day = 24 * 3_600_000;
/** Noon of the 15th of November 2026 in India. */
const now = new Date('2026-11-15T06:30:00Z');
const lastMonth = new Date('2026-10-10T06:30:00Z');
const month = '2026-10';

let server: TestServer;
let operator: string;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = now;
  operator = newId(now);
});
beforeEach(() => reopenMonths(server.db));
afterAll(() => server.close());

/** A person who earned ₹1.00 in October. */
async function creatorWithARupee(): Promise<Person> {
  const creator = await signUpSomebody(server);
  await payableAt(server, creator.id);
  await earnReleased(server.db, creator.id, month);
  return creator;
}
/** Once October is closed, as the job does within minutes. */
async function asked(creatorId: string, totalRupee: string | number = '1.00', at = now) {
  await closeMonths(serverAt(at));
  return await withdraw(serverAt(at), creatorId, { userId: creatorId, month, totalRupee });
}
/** The context of the server at an instant. */
const serverAt = (instant: Date) => ({ ...contextAt(server.db, instant), keyring: server.keyring });
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const rows = (creatorId: string) =>
  server.db.selectFrom('withdrawals').selectAll().where('creator_id', '=', creatorId).execute();
const steps = async (creatorId: string) =>
  (
    await server.db
      .selectFrom('ledger_transactions as l')
      .innerJoin('withdrawals as w', 'w.id', 'l.withdrawal_id')
      .select(['step', 'debit', 'credit', 'l.paise'])
      .where('creator_id', '=', creatorId)
      .orderBy('posted_at')
      .orderBy('step', 'desc')
      .orderBy('l.paise')
      .execute()
  ).map(({ step, debit, credit, paise }) => `${step}: ${debit} ${paise} to ${credit}`);
const audit = async () => (await auditLedger(contextOn(server.db))).differences;

describe('a withdrawal (decisions §4)', () => {
  it('is requested and paid under a reference, and each step is one balanced ledger transaction', async () => {
    const creator = await creatorWithARupee();
    const { _id } = await asked(creator.id);
    const paid = await completeWithdrawal(serverAt(later(1)), _id, {
      reference: ' UTR 1234 ',
      operatorId: operator,
    });
    expect(paid).toMatchObject({ status: 'completed', reference: 'UTR 1234', totalRupee: '1.00' });
    expect(await steps(creator.id)).toEqual([
      'requested: earnings_expense 100 to creator_payable',
      'completed: creator_payable 100 to payouts',
    ]);
    expect(await audit()).toEqual([]);
  });

  it('is rejected with a reason, after which the month can be requested again', async () => {
    const creator = await creatorWithARupee();
    const first = await asked(creator.id);
    await rejectWithdrawal(serverAt(later(1)), first._id, {
      reason: 'The name does not match the bank account.',
      operatorId: operator,
    });
    const second = await asked(creator.id, '1.00', later(2));
    expect(second._id).not.toBe(first._id);
    expect((await rows(creator.id)).map((row) => row.state).sort()).toEqual(['pending', 'rejected']);
    expect(await steps(creator.id)).toEqual([
      'requested: earnings_expense 100 to creator_payable',
      'rejected: creator_payable 100 to earnings_expense',
      'requested: earnings_expense 100 to creator_payable',
    ]);
    expect(await audit()).toEqual([]);
  });

  it('stays the same when it is requested again, and another amount is refused', async () => {
    const creator = await creatorWithARupee();
    const first = await asked(creator.id);
    expect(await asked(creator.id, 1)).toEqual(first);
    await expect(asked(creator.id, '2.00')).rejects.toMatchObject({ code: 'amount_differs' });
    await completeWithdrawal(serverAt(now), first._id, {
      reference: 'UTR 2001',
      operatorId: operator,
    });
    expect(await asked(creator.id)).toMatchObject({ _id: first._id, status: 'completed' });
    expect(await rows(creator.id)).toHaveLength(1);
  });

  it("cannot be somebody else's, nor a suspended person's", async () => {
    const [creator, other] = [await creatorWithARupee(), await signUpSomebody(server)];
    const form = { userId: creator.id, month, totalRupee: '1.00' };
    await expect(withdraw(serverAt(now), other.id, form)).rejects.toMatchObject({
      code: 'not_yours',
    });
    await server.db.updateTable('people').set({ suspended_at: now }).where('id', '=', creator.id).execute();
    await expect(asked(creator.id)).rejects.toMatchObject({ code: 'suspended' });
    expect(await rows(creator.id)).toEqual([]);
  });

  it('prevents deletion of the account only while it is pending', async () => {
    const creator = await creatorWithARupee();
    const pending = () => server.db.transaction().execute((trx) => hasPendingWithdrawal(trx, creator.id));
    expect(await pending()).toBe(false);
    const { _id } = await asked(creator.id);
    expect(await pending()).toBe(true);
    await completeWithdrawal(serverAt(now), _id, { reference: 'UTR 2002', operatorId: operator });
    expect(await pending()).toBe(false);
  });

  it('remains after the account is deleted, and the ledger still balances', async () => {
    const creatorId = await personIn(server.db, lastMonth);
    await payableAt(server, creatorId);
    await earnReleased(server.db, creatorId, month);
    const { _id } = await asked(creatorId);
    await completeWithdrawal(serverAt(now), _id, { reference: 'UTR 2003', operatorId: operator });
    await server.db.deleteFrom('people').where('id', '=', creatorId).execute();
    expect(await rows(creatorId)).toMatchObject([{ paise: 100, state: 'completed' }]);
    const { data } = await listWithdrawals(serverAt(now), { limit: 100, state: 'completed' });
    expect(data.find((one) => one._id === _id)).toMatchObject({ name: '', marks: ['account_gone'] });
    expect(await audit()).toEqual([]);
    await server.db.transaction().execute(async (trx) => {
      await sql`alter table ledger_transactions disable trigger ledger_append_only`.execute(trx);
      await trx.deleteFrom('ledger_transactions').where('withdrawal_id', '=', _id).execute();
      await sql`alter table ledger_transactions enable trigger ledger_append_only`.execute(trx);
    });
    await server.db.deleteFrom('payout_attempts').where('withdrawal_id', '=', _id).execute();
    await server.db.deleteFrom('withdrawals').where('id', '=', _id).execute();
  });
});

describe('two operators at once, or a double click', () => {
  it('pay once under one reference', async () => {
    const { id } = await creatorWithARupee();
    const { _id } = await asked(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        completeWithdrawal(serverAt(now), _id, { reference: 'UTR 2004', operatorId: operator }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.reference))).toEqual(new Set(['UTR 2004']));
    expect(await steps(id)).toHaveLength(2);
  });

  it('with two references one wins, and the other is reported which', async () => {
    const { id } = await creatorWithARupee();
    const { _id } = await asked(id);
    const answers = await Promise.allSettled(
      ['UTR 2005', 'UTR 2006'].map((reference) =>
        completeWithdrawal(serverAt(now), _id, { reference: reference, operatorId: operator }),
      ),
    );
    const [winner] = await rows(id);
    const [lost] = answers.filter((answer) => answer.status === 'rejected');
    expect(lost?.reason.message).toBe(
      `This withdrawal was already paid, with the reference ${winner?.reference}.`,
    );
    expect(await steps(id)).toHaveLength(2);
  });

  it('with one reference for two withdrawals pay one; the other needs its own reference', async () => {
    const people = await Promise.all([creatorWithARupee(), creatorWithARupee()]);
    await closeMonths(serverAt(now));
    const ids = await Promise.all(people.map(async ({ id }) => (await asked(id))._id));
    const answers = await Promise.allSettled(
      ids.map((id) => completeWithdrawal(serverAt(now), id, { reference: 'UTR 2008', operatorId: operator })),
    );
    const refused = answers.findIndex((answer) => answer.status === 'rejected');
    expect(answers.filter((answer) => answer.status === 'rejected')).toMatchObject([
      { reason: { code: 'reference_used', status: 409 } },
    ]);
    const other = people[refused]?.id ?? '';
    expect(await rows(other)).toMatchObject([{ state: 'pending', reference: null }]);
    expect(await steps(other)).toHaveLength(1);
    await completeWithdrawal(serverAt(now), ids[refused] ?? '', {
      reference: 'UTR 2009',
      operatorId: operator,
    });
    expect(await audit()).toEqual([]);
  });

  it('one paying and one rejecting: one of the two succeeds', async () => {
    const { id } = await creatorWithARupee();
    const { _id } = await asked(id);
    const answers = await Promise.allSettled([
      completeWithdrawal(serverAt(now), _id, { reference: 'UTR 2007', operatorId: operator }),
      rejectWithdrawal(serverAt(now), _id, { reason: 'No.', operatorId: operator }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await steps(id)).toHaveLength(2);
    expect(await audit()).toEqual([]);
  });

  it.each<[what: string, decide: (id: string) => Promise<unknown>, code: string]>([
    [
      'without a reference',
      (id) => completeWithdrawal(serverAt(now), id, { reference: '  ', operatorId: operator }),
      'invalid_input',
    ],
    [
      'without a reason',
      (id) => rejectWithdrawal(serverAt(now), id, { reason: '', operatorId: operator }),
      'invalid_input',
    ],
    [
      'a reference without end',
      (id) =>
        completeWithdrawal(serverAt(now), id, {
          reference: 'x'.repeat(101),
          operatorId: operator,
        }),
      'invalid_input',
    ],
    [
      'of nothing',
      () => completeWithdrawal(serverAt(now), newId(now), { reference: 'x', operatorId: operator }),
      'not_found',
    ],
  ])('a decision %s is refused', async (_what, decide, code) => {
    const { id } = await creatorWithARupee();
    await expect(decide((await asked(id))._id)).rejects.toMatchObject({ code });
    expect(await rows(id)).toMatchObject([{ state: 'pending' }]);
  });
});

describe('risk marks', () => {
  const marksOf = async (creatorId: string) => {
    const { data } = await listWithdrawals(serverAt(now), { limit: 100, state: 'pending' });
    return data.find((one) => one.userId === creatorId)?.marks;
  };
  const aged = async (days: number) => {
    const id = await personIn(server.db, new Date(now.getTime() - days * day));
    await payableAt(server, id);
    return id;
  };
  const old = () => aged(400);
  const publish = async (creatorId: string, count: number, at: Date) => {
    for (let reel = 0; reel < count; reel += 1) await publishedReel(server.db, creatorId, at, zone);
  };

  it('an ordinary withdrawal has none, one of a new account is marked', async () => {
    for (const [id, marks] of [
      [await old(), []],
      [await aged(29), ['new_account']],
    ] as const) {
      await reopenMonths(server.db);
      await earnReleased(server.db, id, month);
      const reel = await publishedReel(server.db, id, lastMonth, zone);
      await viewsAt(server.db, reel, lastMonth, 40);
      await asked(id, '1.01');
      expect(await marksOf(id)).toEqual(marks);
    }
  });

  it("far more than the creator's usual amount; a suspended account", async () => {
    const id = await old();
    await publish(id, 50, new Date('2026-09-10T06:30:00Z'));
    await earnReleased(server.db, id, month, 3000);
    const { _id } = await asked(id, '6.00');
    await server.db.updateTable('people').set({ suspended_at: now }).where('id', '=', id).execute();
    const { data } = await listWithdrawals(serverAt(now), { limit: 100 });
    expect(data.find((one) => one._id === _id)?.marks).toEqual(['suspended', 'far_over_usual']);
  });

  it('not above the usual amount of months that were never withdrawn', async () => {
    const id = await old();
    await publish(id, 50, new Date('2026-08-10T06:30:00Z'));
    await publishedReel(server.db, id, new Date('2026-09-10T06:30:00Z'), zone);
    await earnReleased(server.db, id, month, 600);
    // 600 coins after 250 and 5: less than five times the average of both.
    await asked(id, '1.20');
    expect(await marksOf(id)).toEqual([]);
  });

  it('are listed in pages, newest first, of one state or all', async () => {
    const all = await listWithdrawals(serverAt(now), { limit: 100 });
    const first = await listWithdrawals(serverAt(now), { limit: 2 });
    const second = await listWithdrawals(serverAt(now), {
      limit: 2,
      cursor: first.nextCursor ?? undefined,
    });
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
    const completed = await listWithdrawals(serverAt(now), { limit: 100, state: 'completed' });
    expect(completed.data).toEqual(all.data.filter((one) => one.status === 'completed'));
  });
});

describe('a withdrawn month does not change, however late an event is written', () => {
  it('a view is too late; a like and a deletion must be retried', async () => {
    const { id } = await creatorWithARupee();
    const reel = await publishedReel(server.db, id, lastMonth, zone);
    const fileName = await uploadedPhoto(server.db, id, lastMonth);
    const form = { fileName, caption: '', description: '' };
    const before = { ...serverAt(lastMonth), storage: server.storage };
    const { id: post } = await publishPost(before, id, form);
    await asked(id, '1.01');
    const monthNow = () =>
      server.db
        .selectFrom('creator_months')
        .select(['month', 'reels', 'views', 'likes'])
        .where('creator_id', '=', id)
        .orderBy('month')
        .execute();

    const end = new Date('2026-10-31T18:29:59.999Z');
    const shown = new Date(end.getTime() - 5000);
    await recordShowings(serverAt(shown), [{ reelId: reel, personId: undefined, bot: false, at: shown }]);
    const record = createWatchRecorder(serverAt(new Date(end.getTime() + 100)));
    const view = {
      ...{ reelId: reel, viewer: Buffer.from('late'.padEnd(16)), address: Buffer.alloc(8), signedIn: false },
      ...{ issuedAt: shown, at: end, neededMs: 4000 },
    };
    expect(await record(view)).toBe(false);
    const fan = await personIn(server.db, lastMonth);
    const late = { code: 'month_settled', status: 503 };
    await expect(likePost(before, post, fan)).rejects.toMatchObject(late);
    await expect(deleteReel(before, reel, id)).rejects.toMatchObject(late);
    expect(await monthNow()).toEqual([{ month, reels: 1, views: 0, likes: 0 }]);

    const later = { ...before, clock: () => now };
    await likePost(later, post, fan);
    await deleteReel(later, reel, id);
    expect(await monthNow()).toEqual([
      { month, reels: 1, views: 0, likes: 0 },
      { month: '2026-11', reels: 0, views: 0, likes: 1 },
    ]);
    expect(await audit()).toEqual([]);
  });
});

describe('the audit', () => {
  const broken: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const mend of broken.splice(0)) await mend();
    expect(await audit()).toEqual([]);
  });

  it('reports each difference: a month, a reel, a withdrawal, an account', async () => {
    const creatorId = await personIn(server.db, lastMonth);
    await earnReleased(server.db, creatorId, month);
    const reel = await publishedReel(server.db, creatorId, lastMonth, zone);
    await viewsAt(server.db, reel, lastMonth, 1);
    const { _id } = await asked(creatorId, '1.01');
    expect(await audit()).toEqual([]);

    const setViews = (views: number) =>
      server.db.updateTable('creator_months').set({ views }).where('creator_id', '=', creatorId).execute();
    const setReel = (views: number) =>
      server.db
        .updateTable('reel_days')
        .set({ views })
        .where('reel_id', '=', reel)
        .where('verdict', '=', 'counted')
        .execute();
    const setPaise = (paise: number) =>
      server.db.updateTable('withdrawals').set({ paise }).where('id', '=', _id).execute();
    broken.push(
      () => setViews(1),
      () => setReel(1),
      () => setPaise(101),
    );
    await setViews(3);
    await setReel(2);
    await setPaise(102);
    const found = await audit();
    expect(found).toEqual(
      expect.arrayContaining([
        { what: 'month', id: creatorId, month, figure: 'views', recorded: 3, derived: 1 },
        { what: 'reel', id: reel, month, figure: 'counted', recorded: 2, derived: 1 },
        { what: 'withdrawal', id: _id, month, figure: 'paise', recorded: 102, derived: 101 },
      ]),
    );
    expect(found.filter(({ what }) => what === 'account').map(({ id }) => id)).toEqual([
      'earnings_expense',
      'creator_payable',
    ]);
  });

  it('reports a payment under way of a withdrawal that was rejected, and one of another amount', async () => {
    const creator = await creatorWithARupee();
    const { _id } = await asked(creator.id);
    const batch = await madeBatch(server, _id, 'approved');
    expect(await audit()).toEqual([]);
    const set = (values: Updateable<Tables['payout_attempts']>) =>
      server.db.updateTable('payout_attempts').set(values).where('batch_id', '=', batch).execute();
    const found = (figure: string) => [
      { what: 'withdrawal', id: _id, month, figure, recorded: 1, derived: 0 },
    ];
    broken.push(() => set({ paise: 100, state: 'cancelled', ended_at: now, reason: 'Rejected' }));
    await set({ paise: 99 });
    expect(await audit()).toEqual(found('payments of another amount'));
    await set({ paise: 100 });
    await rejectWithdrawal(serverAt(now), _id, { reason: 'Spam', operatorId: operator });
    expect(await audit()).toEqual([]);
    await set({ state: 'exported', ended_at: null, reason: null });
    expect(await audit()).toEqual(found('payments under way'));
  });

  it('runs every night, and its summary is available', async () => {
    const { summary } = await runAudit(serverAt(now));
    const { differences } = await auditLedger(serverAt(now));
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ at: now.toISOString(), differences: differences.length });
    expect(summary.withdrawals).toBe(
      (await server.db.selectFrom('withdrawals').select('id').execute()).length,
    );
    expect(await lastAudit(serverAt(later(2)))).toEqual({ ...summary, ageSeconds: 120 });
  });

  it.each([
    ['update', sql`update ledger_transactions set paise = paise + 1`],
    ['delete', sql`delete from ledger_transactions`],
    ['truncate', sql`truncate ledger_transactions`],
    ['truncate by way of withdrawals', sql`truncate withdrawals cascade`],
  ])('%s: the ledger is append-only for everybody', async (_what, rewrite) => {
    const steps = () => server.db.selectFrom('ledger_transactions').selectAll().orderBy('id').execute();
    const before = await steps();
    expect(before.length).toBeGreaterThan(0);
    const refusal = 'ledger_transactions is only ever added to';
    await expect(rewrite.execute(server.db)).rejects.toThrow(refusal);
    expect(await steps()).toEqual(before);
  });

  it('the ledger cannot be rewritten even by the owner of its tables', async () => {
    const { rows: grants } = await sql<{ privilege: string }>`
      select privilege_type as privilege from information_schema.role_table_grants
      where table_name = 'ledger_transactions'`.execute(server.db);
    const granted = grants.map(({ privilege }) => privilege);
    expect(granted).toContain('INSERT');
    expect(granted).not.toContain('UPDATE');
    expect(granted).not.toContain('DELETE');
  });
});

it('a withdrawal is shown everywhere it belongs', async () => {
  const creator = await creatorWithARupee();
  const get = (path: string) => call(server, { url: `/api/user-earnings/${path}`, headers: creator.headers });
  const ask = () =>
    call(server, {
      method: 'POST',
      url: '/api/user-earnings/request',
      headers: creator.headers,
      payload: { userId: creator.id, userName: 'Asha', month: 'October 2026', totalRupee: '1.00' },
    });
  /** Paise that can be requested, are requested, and were paid. */
  const balance = async () => Object.values((await get(`history/${creator.id}`)).data.balance);
  const states = async () => {
    const { data } = await get(`history/${creator.id}`);
    return data.data.map((record: { monthKey: string; state: string; rejection: string | null }) =>
      [record.monthKey, record.state, record.rejection].join(' '),
    );
  };
  const status = async () => (await get(`withdraw-status/${creator.id}`)).data;

  expect(await states()).toEqual([`${month} withdrawable `]);
  expect(await balance()).toEqual([100, 0, 0]);
  expect(await status()).toEqual({});
  const first = await ask();
  expect(first).toMatchObject({ status: 'ok', message: 'Withdraw request submitted successfully!' });
  expect(await states()).toEqual([`${month} pending `]);
  expect(await balance()).toEqual([0, 100, 0]);
  expect(await status()).toEqual({ [month]: 'pending' });

  await rejectWithdrawal(serverAt(later(1)), first.data._id, {
    reason: 'Please tell us your bank.',
    operatorId: operator,
  });
  server.now.value = later(2);
  expect(await states()).toEqual([`${month} withdrawable Please tell us your bank.`]);
  expect(await balance()).toEqual([100, 0, 0]);
  expect(await status()).toEqual({});

  const again = await ask();
  await completeWithdrawal(serverAt(later(3)), again.data._id, {
    reference: 'UTR 77',
    operatorId: operator,
  });
  expect(await states()).toEqual([`${month} completed `]);
  expect(await balance()).toEqual([0, 0, 100]);
  expect(await status()).toEqual({ [month]: 'completed' });

  const { data, nextCursor } = await get(`allrequests/${creator.id}?limit=1`);
  expect(data).toMatchObject([{ _id: again.data._id, status: 'completed', reference: 'UTR 77' }]);
  expect((await get(`allrequests/${creator.id}?limit=1&cursor=${nextCursor}`)).data).toMatchObject([
    { _id: first.data._id, status: 'rejected', reason: 'Please tell us your bank.' },
  ]);

  const statement = (await get(`statement/${creator.id}/${month}`)).data;
  expect(statement).toMatchObject({ paise: 100, paidPaise: 100, owedPaise: 0, state: 'completed' });
  expect(
    statement.postings.map((posting: { step: string; balancePaise: number }) =>
      [posting.step, posting.balancePaise].join(' '),
    ),
  ).toEqual(['requested 100', 'rejected 0', 'requested 100', 'completed 0']);
});
