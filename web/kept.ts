/** Lists kept in local storage between visits (specification §4): shown at once, then refreshed from the server. */
const prefix = 'jhalak.kept.';

/** What was kept under a name; undefined where there is nothing that can be read. */
export function readKept<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(prefix + name);
    return text ? (JSON.parse(text) as Value) : undefined;
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the next visit asks the server.
  }
}
