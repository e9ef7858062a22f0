import type { Kysely } from 'kysely';
import { reportHours as readHours, usualReportHours } from '#server/features/moderation/deadlines.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { decryptWith, encryptWith } from '#server/platform/keyring/cipher.ts';
import { noJobs } from '#server/platform/no-jobs.ts';
import { noOutbox } from '#server/platform/outbox.ts';

type ContextParts = Omit<Context, 'storage'>;

/** A fixed key, since nothing that tests encrypt is stored for long. */
const key = Buffer.alloc(32, 'of tests');
export const keyringOfTests: Context['keyring'] = {
  encrypt: (text, binding) => encryptWith(key, 1, text, binding),
  secret: () => key,
  decrypt: async (sealed, binding) => decryptWith(key, sealed, binding),
  olderVersions: () => [],
};

const payouts = {
  approvalAbove: 1_000_000,
  columns: undefined,
  payer: 'file' as const,
  razorpayx: undefined,
};

const reportHours = readHours.parse(usualReportHours);

/** The context of tests that call rules on a database without a server: jobs are dropped, files do not exist. */
export const contextOn = (
  db: Kysely<Tables>,
  parts: Partial<Omit<ContextParts, 'db'>> = {},
): ContextParts => ({
  db,
  jobs: noJobs,
  clock: systemClock,
  config: { mediaOrigin: '', timeZone: 'Asia/Kolkata', payouts, reportHours, grievanceEmail: '' },
  outbox: noOutbox,
  keyring: keyringOfTests,
  ...parts,
});

/** The same context at a given time. */
export const contextAt = (db: Kysely<Tables>, now: Date, timeZone = 'Asia/Kolkata'): ContextParts =>
  contextOn(db, {
    clock: () => now,
    config: { mediaOrigin: '', timeZone, payouts, reportHours, grievanceEmail: '' },
  });
