import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Binding } from './cipher.ts';
import { type Keyring, UnreadableError } from './keyring.ts';

/** An encrypted value in its row. */
export interface SealedValue {
  id: string;
  personId: string;
  sealed: Buffer;
}

/** The values to lock: those that begin with one of these bytes, ordered by id, above `after`. */
export interface Batch {
  heads: readonly Buffer[];
  after: string;
  limit: number;
}

/** A column of encrypted values, each of a person. */
export interface SealedColumn {
  /** The kind in the encryption context of its values. */
  kind: string;
  lockBeginning(trx: Transaction<Tables>, batch: Batch): Promise<SealedValue[]>;
  write(trx: Transaction<Tables>, id: string, sealed: Buffer): Promise<void>;
}

interface Context {
  db: Kysely<Tables>;
  keyring: Pick<Keyring, 'encrypt' | 'decrypt' | 'olderVersions'>;
}

const valuesAtOnce = 200;

/** Values that do not change, since their key does not decrypt them. */
export interface Unreadable {
  kind: string;
  count: number;
  /** Some of their owners. */
  people: string[];
}
const namedAtMost = 20;

/**
 * Encrypts values of older key versions with the newest key, except those of lost keys. Returns how many, and which values their key does
 * not decrypt; these do not stop the others. Each batch is a transaction, so that an interrupted run continues where it stopped.
 */
export async function reencrypt(
  { db, keyring }: Context,
  columns: readonly SealedColumn[],
  signal?: AbortSignal,
): Promise<{ values: number; unreadable: Unreadable[] }> {
  let values = 0;
  const unreadable: Unreadable[] = [];
  for (const column of columns) {
    const { kind } = column;
    const left: Unreadable = { kind, count: 0, people: [] };
    let after: string | undefined = '';
    while (after !== undefined) {
      signal?.throwIfAborted();
      const batch: Batch = { heads: keyring.olderVersions(), after, limit: valuesAtOnce };
      if (batch.heads.length === 0) break;
      after = await inTransaction(db, async (trx) => {
        const locked = await column.lockBeginning(trx, batch);
        for (const { id, personId, sealed } of locked) {
          const text = await decrypted(keyring, sealed, { personId, kind });
          if (text !== undefined) {
            await column.write(trx, id, keyring.encrypt(text, { personId, kind }));
            values += 1;
          } else {
            left.count += 1;
            if (left.people.length < namedAtMost) left.people.push(personId);
          }
        }
        return locked.at(-1)?.id;
      });
    }
    if (left.count > 0) unreadable.push(left);
  }
  return { values, unreadable };
}

/** Undefined if the value was altered or copied. */
async function decrypted(
  keyring: Context['keyring'],
  sealed: Buffer,
  binding: Binding,
): Promise<string | undefined> {
  try {
    return await keyring.decrypt(sealed, binding);
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}
