import type { Transaction } from 'kysely';
import type { ActivityEvent, ActivityOutcome } from '#contract/activity.ts';
import { monthLabel } from '#contract/month.ts';
import { activityPaiseOf, ratesOf, rupeesOf } from '#contract/rates.ts';
import { dayOf, type Moment, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import * as queries from './activity.queries.ts';

type Kind = queries.ActivityKind;

const hour = 3_600_000;
/** More than this of a kind on one day is not a person with a phone; what is over brings nothing. */
const atMostADay: Record<Kind, number> = { scroll: 1000, reel_like: 500, photo_like: 500, active_hour: 24 };
/** An active hour may be told this much later: a phone that was offline. */
const toldWithinHours = 48;

/** Something a person did: `about` is the reel or post it was done to. */
interface Deed extends queries.Fact {
  about?: string | undefined;
  /** Wrong by itself, whatever else is known. */
  implausible?: boolean;
}

/**
 * Takes a report of the app; what becomes of each event is answered in its order. An id told before is counted already;
 * a reel's scroll counts once a day, an hour once. All of it counts in the month in which it is told.
 */
export async function saveActivity(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  personId: string,
  events: readonly ActivityEvent[],
): Promise<{ id: string; outcome: ActivityOutcome }[]> {
  const { timeZone } = config;
  const now = clock();
  const deeds = events.map((event): Deed => {
    const { id } = event;
    if (event.kind === 'scroll') {
      const fact = `${event.reelId} ${dayOf(now, timeZone)}`;
      return { id, kind: 'scroll', fact, about: event.reelId };
    }
    const started = Math.floor(new Date(event.hour).getTime() / hour) * hour;
    const implausible = started > now.getTime() || started < now.getTime() - (toldWithinHours + 1) * hour;
    return { id, kind: 'active_hour', fact: String(started), implausible };
  });
  const outcomes = await inTransaction(db, (trx) => noteDeeds(trx, personId, deeds, { now, timeZone }));
  return events.map(({ id }, index) => ({ id, outcome: outcomes[index] ?? 'repeated' }));
}

/**
 * Notes that a person liked a reel or a photo; part of the transaction of the like. Once per person and reel or photo,
 * ever: undone and done again it brings no second coin. One's own brings none. True when it counts.
 */
export async function noteActivity(
  trx: Transaction<Tables>,
  personId: string,
  { kind, factId }: { kind: 'reel_like' | 'photo_like'; factId: string },
  moment: Moment,
): Promise<boolean> {
  const deed = { id: newId(moment.now), kind, fact: factId, about: factId };
  const [outcome] = await noteDeeds(trx, personId, [deed], moment);
  return outcome === 'counted';
}

const columnOf = {
  scroll: 'scrolls',
  reel_like: 'reel_likes',
  photo_like: 'photo_likes',
  active_hour: 'active_hours',
} as const satisfies Record<Kind, keyof queries.ActivityCounts>;

async function noteDeeds(
  trx: Transaction<Tables>,
  personId: string,
  deeds: readonly Deed[],
  { now, timeZone }: Moment,
): Promise<ActivityOutcome[]> {
  const [month, day] = [monthOf(now, timeZone), dayOf(now, timeZone)];
  await queries.lockMonth(trx, personId, month);
  const abouts = deeds.flatMap(({ about }) => (about ? [about] : []));
  const told = await queries.toldIds(
    trx,
    personId,
    deeds.map(({ id }) => id),
  );
  const known = await queries.knownFacts(trx, personId, deeds);
  const ofDay = await queries.countsOfDay(trx, personId, day);
  const creators = await queries.creatorsOf(trx, abouts);

  const counted: queries.Fact[] = [];
  const judge = ({ id, kind, fact, about, implausible }: Deed): ActivityOutcome => {
    const count = ofDay.get(kind) ?? 0;
    if (told.has(id)) return 'counted';
    if (implausible) return 'implausible';
    if (about && !creators.has(about)) return 'unknown';
    if (about && creators.get(about) === personId) return 'own';
    if (known.has(`${kind} ${fact}`)) return 'repeated';
    if (count >= atMostADay[kind]) return 'over_limit';
    told.add(id);
    known.add(`${kind} ${fact}`);
    ofDay.set(kind, count + 1);
    counted.push({ id, kind, fact });
    return 'counted';
  };
  const outcomes = deeds.map(judge);
  if (counted.length > 0) {
    await queries.insertFacts(trx, personId, counted, { day, now });
    const counts = { scrolls: 0, reel_likes: 0, photo_likes: 0, active_hours: 0 };
    for (const { kind } of counted) counts[columnOf[kind]] += 1;
    await queries.addToMonth(trx, personId, month, counts);
  }
  return outcomes;
}

/** This month's activity of a person and what it is worth. */
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
  const rates = ratesOf(month);
  const coins = Object.values(counts).reduce((sum, count) => sum + count, 0) * rates.coinsPerActivity;
  const paise = activityPaiseOf(coins, rates);
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
