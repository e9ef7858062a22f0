import { randomKey } from '#web/random-key.ts';
import { storageKeys } from '#web/storage-keys.ts';

// Used if storage is forbidden.
let inMemory: string | undefined;

/**
 * A random id of this browser, so that visitors who share a network and a browser version are different viewers, and views of
 * a person's own reels do not pay in a browser in which they were logged in. It contains nothing about them, and a new one is
 * created after the site's data was cleared.
 */
export function viewerId(): string {
  inMemory ??= stored() ?? made();
  return inMemory;
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(storageKeys.viewer) ?? undefined;
  } catch {
    return undefined;
  }
}

function made(): string {
  const id = randomKey();
  try {
    localStorage.setItem(storageKeys.viewer, id);
  } catch {
    // Then it lasts as long as the page.
  }
  return id;
}
