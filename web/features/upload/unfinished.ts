/** Where a file is being sent to, so that it goes on there when the same file is chosen again after a reload. */
const prefix = 'upload.';
/** The server forgets what is left alone for a day. */
const keptFor = 24 * 60 * 60 * 1000;

export function fingerprintOf(kind: string, { name, type, size, lastModified }: File): string {
  return JSON.stringify([kind, name, type, size, lastModified]);
}

export function findUnfinished(fingerprint: string): string | undefined {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix) && isOld(key)) localStorage.removeItem(key);
    return read(prefix + fingerprint)?.address;
  } catch {
    // Storage is forbidden: the file is sent from its beginning.
    return undefined;
  }
}

export function noteUnfinished(fingerprint: string, address: string): void {
  try {
    localStorage.setItem(prefix + fingerprint, JSON.stringify({ address, at: Date.now() }));
  } catch {
    // Storage is full or forbidden: it goes on for as long as the page lives.
  }
}

export function forgetUnfinished(fingerprint: string): void {
  try {
    localStorage.removeItem(prefix + fingerprint);
  } catch {
    // Storage is forbidden: there was nothing to forget.
  }
}

function isOld(key: string): boolean {
  const found = read(key);
  return !found || Date.now() - found.at > keptFor;
}

/** Whatever else stands there is nothing of ours. */
function read(key: string): { address: string; at: number } | undefined {
  try {
    const { address, at } = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof address === 'string' && typeof at === 'number' ? { address, at } : undefined;
  } catch {
    return undefined;
  }
}
