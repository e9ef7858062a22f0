import type { Kysely } from 'kysely';
import { paceDays } from '#contract/earning-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as settings from '#server/platform/settings.ts';

const name = 'older apps until';
const day = 24 * 60 * 60 * 1000;

/** Stores once, at the site's first start, until when the showings of older apps are measured by their pace. */
export async function storeOlderAppsUntil({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const until = new Date(clock().getTime() + paceDays * day);
  await settings.insertSetting(db, name, until.toISOString());
}

/** Undefined for a database on which no server has started. */
export async function findOlderAppsUntil(db: Kysely<Tables>): Promise<Date | undefined> {
  const stored = await settings.findSetting(db, name);
  return stored === undefined ? undefined : new Date(stored);
}
