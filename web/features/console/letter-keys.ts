import { useSyncExternalStore } from 'react';
import { useKeys } from '#web/ui/use-keys.ts';
import { consoleKeys } from './storage-keys.ts';

const listeners = new Set<() => void>();
// Used if storage is full or forbidden.
let inMemory: boolean | undefined;

function areOn(): boolean {
  if (inMemory !== undefined) return inMemory;
  try {
    return localStorage.getItem(consoleKeys.lettersOff) === null;
  } catch {
    return true;
  }
}

/** Switches the keys of one letter on or off, on this device. */
export function switchLetterKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(consoleKeys.lettersOff);
    else localStorage.setItem(consoleKeys.lettersOff, 'yes');
    inMemory = undefined;
  } catch {
    inMemory = on;
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether keys of one letter act on this device. */
export const useLettersOn = (): boolean => useSyncExternalStore(subscribe, areOn, () => true);

/** Keys of one letter, outside of fields and dialogs, while they are switched on. */
export function useLetterKeys(active: boolean, actions: Record<string, (() => void) | undefined>): void {
  const on = useLettersOn();
  // A click on the text of a dialog leaves the focus on the page.
  useKeys(active && on, () => (document.querySelector('dialog[open]') ? {} : actions));
}
