import type { Kysely } from 'kysely';
import { paceDays } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hasPeople } from '../people/people.ts';
import * as queries from './settings.queries.ts';

/** When the rules of watched views began on this site. */
export interface WatchingStart {
  /** The first month, YYYY-MM, of which only watched views pay. */
  month: string;
  /** Until then the showings of older apps are measured by their pace. */
  paceUntil: Date;
}

const name = 'watched views';
const day = 24 * 60 * 60 * 1000;

/**
 * Stores once, at the first start with these rules, when they begin: on a site that has people with the next month, so
 * that no month changes its rules while it runs. It never moves, also if the business time zone does.
 */
export async function storeWatchingStart({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  if (await findWatchingStart(db)) return;
  const now = clock();
  const current = monthOf(now, config.timeZone);
  const month = (await hasPeople(db)) ? monthAfter(current) : current;
  const paceUntil = new Date(now.getTime() + paceDays * day);
  await queries.insertSetting(db, name, JSON.stringify({ month, paceUntil }));
}

/** Sets it on a site without any activity. */
export async function replaceWatchingStart(db: Kysely<Tables>, start: WatchingStart): Promise<void> {
  await queries.replaceSetting(db, name, JSON.stringify(start));
}

/** Undefined for a database on which no server has started. */
export async function findWatchingStart(db: Kysely<Tables>): Promise<WatchingStart | undefined> {
  const stored = await queries.findSetting(db, name);
  if (stored === undefined) return undefined;
  const { month, paceUntil } = JSON.parse(stored);
  return { month, paceUntil: new Date(paceUntil) };
}

/** The month after one, YYYY-MM. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/** The month before one, YYYY-MM. */
export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}
