import pg from 'pg';
import { codeOf } from '../files.ts';

/** The database does not respond or cannot be reached. */
export class DatabaseUnresponsive extends Error {
  override name = 'DatabaseUnresponsive';

  constructor(cause?: unknown) {
    super('the database does not answer', { cause });
  }
}

/**
 * Codes of PostgreSQL while it cannot serve: class 08 (connection), 53 (no disk space, memory or connections), 58 (disk error),
 * statement timeout, lock timeout, and a server that is stopping, starting or became a standby.
 */
const serverStates = /^(08...|53...|58...|57014|55P03|57P0[1-5]|25006)$/;

/** What the coordinator of a cluster says, as an internal error, when its open connection to a node has ended or ends. */
const lostNode =
  /^(failure on connection marked as essential|could not commit transaction for shard|terminating connection due to administrator command|server closed the connection unexpectedly|could not (send data to|receive data from) server|no connection to the server|SSL (SYSCALL )?error)/;

/** Messages of the driver for a lost connection or a connection timeout; these errors have no code. */
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

/** Whether the error means that the database is unavailable now, and not that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnresponsive) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (error instanceof pg.DatabaseError)
    return serverStates.test(error.code ?? '') || lostNode.test(error.message);
  if (!(error instanceof Error)) return false;
  if (networkCodes.has(codeOf(error))) return true;
  return driverSentences.test(error.message);
}
