import type { OperatorAccount } from '#server/features/audit-log/audit-log.ts';
import { requestCopyReview } from '#server/features/copies/decisions.ts';
import { setDestination } from '#server/features/destinations/destination.ts';
import { showHistory } from '#server/features/earnings/history.ts';
import { makeBatch, sendBatch } from '#server/features/payers/batches.ts';
import { recordPayments } from '#server/features/payers/record.ts';
import { voidMonth } from '#server/features/withdrawals/releases.ts';
import { withdraw } from '#server/features/withdrawals/withdrawals.ts';
import { monthOf } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { before, contextAt, type Demo } from '../demo.ts';
import { oldest, people } from '../people.ts';
import { pictures } from '../pictures/catalogue.ts';
import { hasHappened, note, noted } from '../progress.ts';
import { idOf } from '../society.ts';

/** Payout destinations of creators: valid in form, but of no real bank. Mira has none, so the site asks her to add one. */
const destinations = {
  'leela.rangoli': { kind: 'upi', vpa: 'leela@inventedbank' },
  'pihu.plumes': { kind: 'upi', vpa: 'pihu.plumes@inventedbank' },
  'ishaan.nights': { kind: 'bank', account: '000000000042', ifsc: 'DEMO0000000', name: 'Ishaan Bora' },
  'aarav.skies': { kind: 'upi', vpa: 'aarav@inventedbank' },
  'dev.darya': { kind: 'upi', vpa: 'dev@inventedbank' },
} as const;

/** Creators whose newest month is withdrawn, and the result of the withdrawal. */
const requests = {
  'mira.monsoon': 'asked',
  'pihu.plumes': 'asked',
  'ishaan.nights': 'paid',
  'aarav.skies': 'returned',
} as const;

/** Past payments of all kinds, a month with void views, and a copy whose review its creator requested; each once. */
export async function addMoney(demo: Demo): Promise<void> {
  const { ids, now, signal } = demo;
  for (const [username, destination] of Object.entries(destinations)) {
    const joined = oldest - people.findIndex((one) => one.username === username);
    const at = before(now, joined - 9);
    await once(demo, `destination ${username}`, (inside) =>
      setDestination(contextAt(inside, at), idOf(ids, username), destination),
    );
  }
  for (const [username, end] of Object.entries(requests)) {
    signal.throwIfAborted();
    await once(demo, `payment ${username}`, (inside) => pay(inside, idOf(ids, username), end));
  }
  await once(demo, 'void', (inside) => voidWaiting(inside, idOf(ids, 'gauri.garden')));
  await once(demo, 'copy', async (inside) => {
    const index = pictures.findIndex(({ mirrors }) => mirrors !== undefined);
    const [id, by] = [await noted(inside.db, `picture ${index}`), pictures[index]?.by ?? ''];
    const words = 'I drew this one myself, the other way round.';
    if (id) await requestCopyReview(contextAt(inside, now), idOf(ids, by), { kind: 'post', id, words });
  });
}

/** Runs a step and records it, in one transaction. */
async function once(demo: Demo, step: string, run: (inside: Demo) => Promise<unknown>): Promise<void> {
  if (await hasHappened(demo.db, step)) return;
  await demo.db.transaction().execute(async (trx) => {
    await run({ ...demo, db: trx });
    await note(trx, step);
  });
}

/** The end of a month. */
function endOf(month: string, { now, timeZone }: Demo): Date {
  const quarterHour = 15 * 60 * 1000;
  let at = Date.parse(`${month}-28T00:00:00Z`);
  while (at < now.getTime() && monthOf(new Date(at), timeZone) <= month) at += quarterHour;
  return new Date(at);
}

const reasons = { returned: 'The account was closed (invented)' };

/** Requests a withdrawal of the newest month possible, between its end and now, and pays it. */
async function pay(demo: Demo, creatorId: string, end: 'asked' | 'paid' | 'returned'): Promise<void> {
  const { now } = demo;
  const { data } = await showHistory(contextAt(demo, now), creatorId);
  const found = data.find(({ withdrawable }) => withdrawable);
  if (!found) return;
  const over = endOf(found.monthKey, demo).getTime();
  const on = (part: number) => contextAt(demo, new Date(over + (now.getTime() - over) * part));
  const { _id } = await withdraw(on(0.1), creatorId, {
    userId: creatorId,
    month: found.monthKey,
    totalRupee: found.payableRupees,
  });
  if (end === 'asked') return;
  const operator: OperatorAccount = { id: newId(now), name: 'the demo' };
  const batch = await makeBatch(on(0.3), operator, { withdrawals: [_id] });
  const { data: sent } = await sendBatch(on(0.3), operator, { id: batch._id, again: false });
  for (const { _id: id } of sent.payments) {
    const reference = `INVENTED${id.slice(-6).toUpperCase()}`;
    await recordPayments(on(0.5), operator, [{ id, state: 'paid', reference }]);
    if (end === 'returned')
      await recordPayments(on(0.8), operator, [{ id, state: 'returned', reason: reasons.returned }]);
  }
}

async function voidWaiting(demo: Demo, creatorId: string): Promise<void> {
  const context = contextAt(demo, demo.now);
  const { data } = await showHistory(context, creatorId);
  const found = data.find(({ waitingViews, state }) => waitingViews > 0 && state !== 'current');
  if (!found) return;
  const reason = 'These views came from one script (invented).';
  await voidMonth(
    context,
    { creatorId, month: found.monthKey, what: 'waiting' },
    { reason, operatorId: newId(demo.now) },
  );
}
