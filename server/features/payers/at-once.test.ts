import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { contextOn } from '#testing/context.ts';
import { earnReleased, personIn } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany } from '#testing/share.ts';
import { auditLedger } from '../earnings/audit.ts';
import { rejectWithdrawal } from '../withdrawals/review.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { approveBatch, makeBatch, sendBatch } from './batches.ts';
import { recordPayments } from './record.ts';

/* All requests about one month run in parallel; AT_ONCE sets how many. */
const [month, now] = ['2026-10', new Date('2026-11-20T12:00:00+05:30')];

it.each([
  ['asking, batches, approval, sending and noting', false],
  ['the same, with rejections and asking again', true],
])(
  '%s at once pay a month once',
  async (_what, isRejected) => {
    const database = await freshDatabase();
    const db = await openDatabase(database.url, 10);
    try {
      const creator = await personIn(db, new Date('2026-01-01'));
      await earnReleased(db, creator, month);
      const usual = contextOn(db, { clock: () => now });
      await payableAt(usual, creator);
      const [ravi, uma] = [await personIn(db, now), await personIn(db, now)].map((id) => ({ id, name: id }));
      if (!ravi || !uma) throw new Error('there is no operator');
      await db.updateTable('people').set({ role: 'operator' }).where('id', 'in', [ravi.id, uma.id]).execute();
      // Each batch has to be approved by the operator who did not make it.
      const payouts = { ...usual.config.payouts, approvalAbove: 0 };
      const context = { ...usual, config: { ...usual.config, payouts } };

      const files: string[] = [];
      const of = async (table: 'payout_batches' | 'withdrawals') =>
        (await db.selectFrom(table).select('id').execute()).map(({ id }) => id);
      const given = () => [...new Set(files.flatMap((file) => file.match(/^"[0-9a-f-]{36}"/gm) ?? []))];
      const kinds = [
        async () => [await withdraw(context, creator, { userId: creator, month, totalRupee: '1.00' })],
        async () => [await makeBatch(context, ravi, {})],
        async () => {
          for (const id of await of('payout_batches')) await approveBatch(context, uma, id);
        },
        async () => {
          for (const id of (await of('payout_batches')).toReversed())
            for (const again of [false, true])
              await sendBatch(context, uma, { id, again }).then(({ file }) => files.push(file), refused);
        },
        async () => {
          // The payer pays each id once, however often it receives it.
          const paid = given().map((id) => ({
            id: id.slice(1, -1),
            state: 'paid' as const,
            reference: `UTR ${id}`,
          }));
          await recordPayments(context, ravi, paid);
        },
        async () => {
          if (!isRejected || files.length > 0) return;
          for (const id of await of('withdrawals'))
            await rejectWithdrawal(context, id, { reason: `No ${v7()}`, operatorId: ravi.id });
        },
      ];
      const refused = (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      };
      const times = howMany('AT_ONCE', { share: 60, whole: 1000 });
      await Promise.all(
        Array.from({ length: times }, async (_, place) => {
          await kinds[place % kinds.length]?.().catch(refused);
        }),
      );
      // What failed because of parallel requests is repeated sequentially.
      for (const kind of kinds.slice(0, 5)) await kind().catch(refused);

      expect(given()).toHaveLength(1);
      const completed = await db
        .selectFrom('ledger_transactions')
        .select('paise')
        .where('step', '=', 'completed')
        .execute();
      expect(completed).toEqual([{ paise: 100 }]);
      const standing = await db
        .selectFrom('withdrawals')
        .select('state')
        .where('state', '<>', 'rejected')
        .execute();
      expect(standing).toEqual([{ state: 'completed' }]);
      const { differences } = await auditLedger(context);
      expect(differences.filter(({ what }) => what !== 'month')).toEqual([]);
    } finally {
      await db.destroy();
      await database.drop();
    }
  },
  300_000,
);
