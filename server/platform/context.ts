import type { Kysely } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Clock } from './clock.ts';
import type { Tables } from './database/tables.ts';
import type { Jobs } from './jobs.ts';
import type { Keyring } from './keyring/keyring.ts';
import type { Outbox } from './outbox.ts';
import type { Storage } from './storage.ts';

interface ContextParts {
  db: Kysely<Tables>;
  storage: Storage;
  jobs: Pick<Jobs, 'send'>;
  clock: Clock;
  config: Pick<Config, 'mediaOrigin' | 'timeZone' | 'payouts' | 'reportHours' | 'grievanceEmail'>;
  outbox: Outbox;
  keyring: Pick<Keyring, 'encrypt' | 'decrypt' | 'secret' | 'olderVersions'>;
}

/**
 * The parts of the running server that rules use: one object, built at start and by tests. A rule takes it first and
 * names the parts it uses: `{ db, clock }: Context<'db' | 'clock'>`. A function inside a transaction takes `trx`
 * instead.
 */
export type Context<Part extends keyof ContextParts = keyof ContextParts> = Pick<ContextParts, Part>;
