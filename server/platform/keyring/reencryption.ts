import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Keyring } from './keyring.ts';

/** An encrypted value in its row. */
export interface SealedValue {
  id: string;
  personId: string;
  sealed: Buffer;
}

/** A column of values that are encrypted, each for a person. */
export interface SealedColumn {
  /** Of the binding of its values. */
  kind: string;
  /** Locks some values that begin with one of these bytes. */
  lockBeginning(trx: Transaction<Tables>, heads: readonly Buffer[], limit: number): Promise<SealedValue[]>;
  write(trx: Transaction<Tables>, id: string, sealed: Buffer): Promise<void>;
}

interface Context {
  db: Kysely<Tables>;
  keyring: Pick<Keyring, 'encrypt' | 'decrypt' | 'olderVersions'>;
}

const valuesAtOnce = 200;

/**
 * Encrypts with the newest key what was encrypted with a version before that is not lost; returns how many values. Each batch is
 * a transaction, so that what is cut off goes on where it ended.
 */
export async function reencrypt(
  { db, keyring }: Context,
  columns: readonly SealedColumn[],
  signal?: AbortSignal,
): Promise<number> {
  let done = 0;
  for (const column of columns) {
    let batch: number;
    do {
      signal?.throwIfAborted();
      const heads = keyring.olderVersions();
      if (heads.length === 0) return done;
      batch = await inTransaction(db, async (trx) => {
        const values = await column.lockBeginning(trx, heads, valuesAtOnce);
        for (const { id, personId, sealed } of values) {
          const binding = { personId, kind: column.kind };
          await column.write(trx, id, keyring.encrypt(await keyring.decrypt(sealed, binding), binding));
        }
        return values.length;
      });
      done += batch;
    } while (batch > 0);
  }
  return done;
}
