/** Lists kept in local storage between visits (specification §4): shown at once, then refreshed from the server. */
const prefix = 'jhalak.kept.';

/** Of everything kept. Raised when what is kept changes its meaning in a way that its shape does not show. */
const version = 1;

/** What tells whether a value is what it should be: a schema. */
export interface Shape<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/**
 * What was kept under a name; undefined where nothing was, where an older or newer site kept it, or where it is not of
 * this shape. Whoever visits for years has met every version of the site.
 */
export function readKept<Value>(name: string, shape: Shape<Value>): Value | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(prefix + name) ?? 'null') as Partial<Kept> | null;
    if (kept?.version !== version) return undefined;
    const read = shape.safeParse(kept.value);
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

interface Kept {
  version: number;
  value: unknown;
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify({ version, value } satisfies Kept));
  } catch {
    // Storage is full or forbidden: the next visit asks the server.
  }
}

/** Forgets whatever is kept under names that begin so; everything where none is given. */
export function forgetKept(beginning = ''): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix + beginning)) localStorage.removeItem(key);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}
