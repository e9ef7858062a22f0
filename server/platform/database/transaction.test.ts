import { expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { openDatabase } from './database.ts';
import { afterCommit, inTransaction } from './transaction.ts';

it('what follows a transaction runs once all its steps are committed, and not if it fails', async () => {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 2);
  const seen: string[] = [];
  await inTransaction(db, async (trx) => {
    await inTransaction(trx, async (step) => afterCommit(step, () => seen.push('follows')));
    seen.push('end of the transaction');
  });
  const failing = inTransaction(db, async (trx) => {
    afterCommit(trx, () => seen.push('never'));
    throw new Error('a step fails');
  });
  await expect(failing).rejects.toThrow('a step fails');
  expect(seen).toEqual(['end of the transaction', 'follows']);
  await db.destroy();
  await database.drop();
});
