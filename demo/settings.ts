import type { Kysely } from 'kysely';
import type { Config } from '#server/config.ts';
import { hasPeople } from '#server/features/people/people.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hasHappened } from './progress.ts';

/**
 * The settings of a site, without its mail and its payer where it has the invented people of the demo, or is about to: nobody reads what they
 * get, and nobody has the money that is paid to them.
 */
export async function withDemo(db: Kysely<Tables>, config: Config): Promise<Config> {
  const { mail, payouts } = config;
  if (!(mail || payouts.razorpayx) || !config.demo || config.databaseUrl) return config;
  const isDemo = (await hasHappened(db, 'begun')) || !(await hasPeople(db));
  if (!isDemo) return config;
  return { ...config, mail: undefined, payouts: { ...payouts, payer: 'file', razorpayx: undefined } };
}
