import type { Transaction } from 'kysely';
import type { ActivityEvent, ActivityOutcome } from '#contract/activity.ts';
import { activityPaiseOf, rates, rupeesOf } from '#contract/earning-rules.ts';
import { monthLabel } from '#contract/month.ts';
import { dayOf, type Moment, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './activity.queries.ts';

type Kind = queries.ActivityKind;

const hour = 3_600_000;
/** Maximum of each kind on one day. A person with a phone cannot do more; what is above earns nothing. */
const maxPerDay: Record<Kind, number> = { scroll: 1000, reel_like: 500, photo_like: 500, active_hour: 24 };
/** An active hour may be reported this many hours later, because a phone can be offline. */
const reportWithinHours = 48;

/** An action of a person. `about` is the id of the reel or post. */
interface Action extends queries.Fact {
  about?: string | undefined;
  /** Refused whatever is stored, for example an hour in the future. */
  implausible?: boolean;
}

/**
 * Stores the events that an app reports, and returns the outcome of each in order. An event with a known id is not counted again. A
 * scrolled reel counts once a day, and an active hour once. Events count in the month in which they are reported.
 */
export async function saveActivity(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  personId: string,
  events: readonly ActivityEvent[],
): Promise<{ id: string; outcome: ActivityOutcome }[]> {
  const { timeZone } = config;
  const now = clock();
  const actions = events.map((event): Action => {
    const { id } = event;
    if (event.kind === 'scroll') {
      const fact = `${event.reelId} ${dayOf(now, timeZone)}`;
      return { id, kind: 'scroll', fact, about: event.reelId };
    }
    const started = Math.floor(new Date(event.hour).getTime() / hour) * hour;
    const implausible = started > now.getTime() || started < now.getTime() - (reportWithinHours + 1) * hour;
    return { id, kind: 'active_hour', fact: String(started), implausible };
  });
  const outcomes = await inTransaction(db, (trx) => storeActions(trx, personId, actions, { now, timeZone }));
  return events.map(({ id }, index) => ({ id, outcome: outcomes[index] ?? 'repeated' }));
}

/**
 * Stores that a person liked a reel or photo, in the transaction of the like. It counts once for each person and reel
 * or photo, even if the like is undone and repeated. Likes of own content do not count. Returns whether it counts.
 */
export async function countActivity(
  trx: Transaction<Tables>,
  personId: string,
  { kind, factId }: { kind: 'reel_like' | 'photo_like'; factId: string },
  moment: Moment,
): Promise<boolean> {
  const action = { id: newId(moment.now), kind, fact: factId, about: factId };
  const [outcome] = await storeActions(trx, personId, [action], moment);
  return outcome === 'counted';
}

const columnOf = {
  scroll: 'scrolls',
  reel_like: 'reel_likes',
  photo_like: 'photo_likes',
  active_hour: 'active_hours',
} as const satisfies Record<Kind, keyof queries.ActivityCounts>;

async function storeActions(
  trx: Transaction<Tables>,
  personId: string,
  actions: readonly Action[],
  { now, timeZone }: Moment,
): Promise<ActivityOutcome[]> {
  const [month, day] = [monthOf(now, timeZone), dayOf(now, timeZone)];
  if (!(await queries.lockMonth(trx, personId, month)))
    throw new Refusal('not_signed_in', { what: 'deleted' });
  const abouts = actions.flatMap(({ about }) => (about ? [about] : []));
  const reported = await queries.reportedIds(
    trx,
    personId,
    actions.map(({ id }) => id),
  );
  const known = await queries.knownFacts(trx, personId, actions);
  const ofDay = await queries.countsOfDay(trx, personId, day);
  const creators = await queries.creatorsOf(trx, abouts);

  const counted: queries.Fact[] = [];
  const judge = ({ id, kind, fact, about, implausible }: Action): ActivityOutcome => {
    const count = ofDay.get(kind) ?? 0;
    if (reported.has(id)) return 'counted';
    if (implausible) return 'implausible';
    if (about && !creators.has(about)) return 'unknown';
    if (about && creators.get(about) === personId) return 'own';
    if (known.has(`${kind} ${fact}`)) return 'repeated';
    if (count >= maxPerDay[kind]) return 'over_limit';
    reported.add(id);
    known.add(`${kind} ${fact}`);
    ofDay.set(kind, count + 1);
    counted.push({ id, kind, fact });
    return 'counted';
  };
  const outcomes = actions.map(judge);
  if (counted.length > 0) {
    await queries.insertFacts(trx, personId, counted, { day, now });
    const counts = { scrolls: 0, reel_likes: 0, photo_likes: 0, active_hours: 0 };
    for (const { kind } of counted) counts[columnOf[kind]] += 1;
    await queries.addToMonth(trx, personId, month, counts);
  }
  return outcomes;
}

/** Deletes all activity of a person, in the transaction that has locked and deletes the person. */
export const deleteActivity = queries.deleteOf;

/** The activity of a person in this month, and its worth. */
export async function showActivity(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  personId: string,
) {
  const now = clock();
  const month = monthOf(now, config.timeZone);
  const row = await queries.findMonth(db, personId, month);
  const counts = {
    scrolls: row?.scrolls ?? 0,
    reelLikes: row?.reel_likes ?? 0,
    photoLikes: row?.photo_likes ?? 0,
    activeHours: row?.active_hours ?? 0,
  };
  const coins = Object.values(counts).reduce((sum, count) => sum + count, 0) * rates.coinsPerActivity;
  const paise = activityPaiseOf(coins);
  return {
    userId: personId,
    month,
    monthLabel: monthLabel(month),
    ...counts,
    coins,
    coinsPerRupee: rates.activityCoinsPerRupee,
    paise,
    rupees: rupeesOf(paise),
    asOf: now.toISOString(),
  };
}
