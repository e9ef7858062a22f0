import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { dropEach } from '../stored-files/stored-files.ts';
import { deleteUntouched } from './resumable.queries.ts';
import { deleteUnused } from './uploads.queries.ts';

/** Deletes uploads that were not published or completed in time; the sweeper deletes their files. */
export async function deleteExpiredUploads({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const now = clock();
  const before = new Date(now.getTime() - retention.unusedUploadHours * 60 * 60 * 1000);
  await inTransaction(db, async (trx) => {
    const unused = await deleteUnused(trx, before);
    const untouched = await deleteUntouched(trx, before);
    await dropEach(trx, [...unused, ...untouched], now);
  });
}
