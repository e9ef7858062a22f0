import type { Kysely } from 'kysely';
import type { Config } from '#server/config.ts';
import { hasPeople } from '#server/features/people/people.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hasHappened } from './progress.ts';

/** The settings of a site, without its mail where it has the invented people of the demo, or is about to: nobody reads what they get. */
export async function withoutDemoMail(db: Kysely<Tables>, config: Config): Promise<Config> {
  if (!config.mail || !config.demo || config.databaseUrl) return config;
  const isDemo = (await hasHappened(db, 'begun')) || !(await hasPeople(db));
  return isDemo ? { ...config, mail: undefined } : config;
}
