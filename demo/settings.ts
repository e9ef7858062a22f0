import type { Kysely } from 'kysely';
import type { Config } from '#server/config.ts';
import { hasPeople } from '#server/features/people/people.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hasHappened } from './progress.ts';

/**
 * Disables mail and the payout API on a site that has demo content, or will get it at this start: its addresses and payout destinations
 * are invented, so mails and payments must not leave the site.
 */
export async function withDemo(db: Kysely<Tables>, config: Config): Promise<Config> {
  const { mail, payouts } = config;
  if (!(mail || payouts.razorpayx) || !config.demo || config.databaseUrl) return config;
  const isDemo = (await hasHappened(db, 'begun')) || !(await hasPeople(db));
  if (!isDemo) return config;
  return { ...config, mail: undefined, payouts: { ...payouts, payer: 'file', razorpayx: undefined } };
}
