import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { StartupError } from '#server/platform/startup-error.ts';
import { hasPeople } from '../people/people.ts';
import * as queries from './backfill.queries.ts';
import { isQuarantined, keepQuarantined, nobody, release, releaseNamed } from './stored-files.queries.ts';

/** People in one transaction: uploads wait that long for the register. */
const atOnce = 500;

/**
 * Fills the register of stored files from the rows that name files, and stores that it is complete. Safe while this version runs, and
 * idempotent; a version without the register must not run any more. Returns how many rows it changed.
 */
export async function backfillStoredFiles(
  db: Kysely<Tables>,
): Promise<{ registered: number; forgotten: number }> {
  const changed = { registered: 0, forgotten: 0 };
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after; ) {
    const from: string = after;
    after = await inTransaction(db, async (trx) => {
      await queries.lockRegister(trx);
      const people = await queries.peopleAfter(trx, from, atOnce);
      changed.registered += await queries.registerMissing(trx, people);
      changed.forgotten += await queries.forgetUnnamed(trx, people);
      return people.at(-1);
    });
  }
  changed.forgotten += await inTransaction(db, async (trx) => {
    await queries.lockRegister(trx);
    return await queries.forgetUnowned(trx);
  });
  await releaseNamed(db);
  await queries.markComplete(db);
  return changed;
}

/**
 * Completes the register at the start of a server, if no older version can be running beside it: an embedded database belongs to one
 * process, and a site without people has no files. Otherwise it has to be completed before the start.
 */
export async function requireStoredFiles(db: Kysely<Tables>, isAlone: boolean): Promise<void> {
  const isComplete = await queries.isMarkedComplete(db);
  if (isAlone) {
    if (!isComplete || (await queries.isBehind(db))) await backfillStoredFiles(db);
    return;
  }
  if (isComplete) return;
  if (await hasPeople(db))
    throw new StartupError(
      'The register of stored files is not complete. Once no process of a version before the register runs any more, run: npm run admin -- files backfill',
    );
  await queries.markComplete(db);
}

/**
 * Restores a file from quarantine: as what its row says if one names it, and otherwise without an owner, permanently. Returns its owner;
 * undefined if it is not there. Part of the transaction that logs who did it.
 */
export async function adoptFile(
  trx: Transaction<Tables>,
  key: string,
  now: Date,
): Promise<string | undefined> {
  await queries.lockRegister(trx);
  if (!(await isQuarantined(trx, key))) return undefined;
  const owner = await queries.registerNamed(trx, key);
  if (owner) await release(trx, key);
  else await keepQuarantined(trx, key, now);
  return owner ?? nobody;
}
