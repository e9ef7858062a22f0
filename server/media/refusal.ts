import { Refusal } from '../platform/refusal.ts';

/** This file cannot be used; the message explains why to its owner. A retry would change nothing. */
export class MediaRefusal extends Refusal {
  override name = 'MediaRefusal';
}

/** How a file crashed the process that read it. `starved`: the process reached a limit of time because the machine was busy. */
export type CrashReason = 'time' | 'silence' | 'starved' | 'memory' | 'crash' | 'error';

/**
 * The process that read this file crashed, or had to be killed. The cause may be the machine and not the file, so it is
 * retried later if possible.
 */
export class MediaWorkerCrash extends Error {
  override name = 'MediaWorkerCrash';
  readonly reason: CrashReason;

  /** `complaint` is for the log. */
  constructor(reason: CrashReason, complaint: string) {
    super(complaint);
    this.reason = reason;
  }
}
