import { storageKeys } from './storage-keys.ts';

/** Raise this number when stored values change their meaning without changing their shape. */
const version = 1;

/** A Zod schema, or anything else that validates a value. */
export interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/**
 * The value stored under a name. Undefined if there is none, if another version of the site stored it, or if it does not
 * match the schema: a browser may hold data of any older version.
 */
export function readPersisted<Value>(name: string, schema: Schema<Value>): Value | undefined {
  try {
    const stored = JSON.parse(
      localStorage.getItem(storageKeys.lists + name) ?? 'null',
    ) as Partial<Persisted> | null;
    if (stored?.version !== version) return undefined;
    const read = schema.safeParse(stored.value);
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

interface Persisted {
  version: number;
  value: unknown;
}

export function persist(name: string, value: unknown): void {
  try {
    localStorage.setItem(storageKeys.lists + name, JSON.stringify({ version, value } satisfies Persisted));
  } catch {
    // Storage is full or forbidden, so the next visit waits for the server.
  }
}

/** Removes all values whose names have this prefix; without a prefix, all. */
export function removePersisted(namePrefix = ''): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(storageKeys.lists + namePrefix)) localStorage.removeItem(key);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
