import { storageKeys } from '#web/storage-keys.ts';

/** The server deletes an upload that was not continued for a day. */
const maxAge = 24 * 60 * 60 * 1000;

export function fingerprintOf(kind: string, { name, type, size, lastModified }: File): string {
  return JSON.stringify([kind, name, type, size, lastModified]);
}

export function findUploadUrl(fingerprint: string): string | undefined {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(storageKeys.uploads) && isOld(key)) localStorage.removeItem(key);
    return read(storageKeys.uploads + fingerprint)?.address;
  } catch {
    // Storage is forbidden, so the file is sent from its beginning.
    return undefined;
  }
}

export function saveUploadUrl(fingerprint: string, address: string): void {
  try {
    localStorage.setItem(storageKeys.uploads + fingerprint, JSON.stringify({ address, at: Date.now() }));
  } catch {
    // Storage is full or forbidden, so the upload cannot be resumed after a reload.
  }
}

export function removeUploadUrl(fingerprint: string): void {
  try {
    localStorage.removeItem(storageKeys.uploads + fingerprint);
  } catch {
    // Storage is forbidden, so there is nothing to remove.
  }
}

function isOld(key: string): boolean {
  const found = read(key);
  return !found || Date.now() - found.at > maxAge;
}

/** Undefined where the entry is missing or was not written by this module. */
function read(key: string): { address: string; at: number } | undefined {
  try {
    const { address, at } = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof address === 'string' && typeof at === 'number' ? { address, at } : undefined;
  } catch {
    return undefined;
  }
}
