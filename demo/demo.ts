import type { Server } from '#server/boot/create-server.ts';
import { reportHours, usualReportHours } from '#server/features/moderation/deadlines.ts';
import type { Context } from '#server/platform/context.ts';
import { noJobs } from '#server/platform/no-jobs.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import type { ReceivedFile } from '#server/platform/storage.ts';

/** The context of every step of the demo. */
export interface Demo extends Pick<Server, 'db' | 'storage' | 'keyring'> {
  timeZone: string;
  /** The time when the demo was started; its past is relative to it. */
  now: Date;
  /** Ids by username. */
  ids: Map<string, string>;
  signal: AbortSignal;
}

const day = 24 * 60 * 60 * 1000;
/** This many days before. */
export const before = (now: Date, days: number) => new Date(now.getTime() - days * day);

/** The context of a rule that runs at an instant in the demo's past. Jobs are dropped: nobody is notified of old content. */
export const contextAt = ({ db, storage, keyring, timeZone }: Demo, at: Date): Context => ({
  db,
  storage,
  jobs: noJobs,
  clock: () => at,
  config: {
    mediaOrigin: '',
    timeZone,
    payouts: { approvalAbove: 10_000_00, columns: undefined, payer: 'file', razorpayx: undefined },
    reportHours: reportHours.parse(usualReportHours),
    grievanceEmail: '',
  },
  outbox: noOutbox,
  keyring,
});

/** Stores a rendered file, as an upload would be. */
export type Drawn = () => Promise<ReceivedFile>;
