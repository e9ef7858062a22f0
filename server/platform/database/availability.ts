import pg from 'pg';
import { codeOf } from '../files.ts';

/** The database does not answer at all, or there is none to be reached. */
export class DatabaseUnresponsive extends Error {
  override name = 'DatabaseUnresponsive';

  constructor(cause?: unknown) {
    super('the database does not answer', { cause });
  }
}

/**
 * What PostgreSQL says while it cannot serve: class 08 (connection), 53 (out of room, memory or connections), 58 (its disk),
 * a statement ended for taking too long, a server that is ending, starting or has become a standby.
 */
const serverStates = /^(08...|53...|58...|57014|57P0[1-5]|25006)$/;

/** What the driver says of a connection that is gone or could not be had in time; these errors carry no code. */
const driverSentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Postgres connection has been discarded)/;

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whether it failed because the database cannot be asked for the moment, and not because of what it was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnresponsive) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (error instanceof pg.DatabaseError) return serverStates.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if (networkCodes.has(codeOf(error))) return true;
  return driverSentences.test(error.message);
}
