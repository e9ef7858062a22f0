import { useCallback, useState } from 'react';
import { storageKeys } from '#web/storage-keys.ts';

const readStored = () => {
  try {
    return localStorage.getItem(storageKeys.sound) !== 'off';
  } catch {
    return true;
  }
};

export interface Sound {
  muted: boolean;
  /** The person wants sound, but the browser requires a tap first. */
  blocked: boolean;
  toggle: () => void;
  /** Called when the browser refused to play with sound. */
  refused: () => void;
}

/** Sound is on unless the person turned it off (stored for the next visit) or the browser blocks it until a tap. */
export function useSound(): Sound {
  const [wanted, setWanted] = useState(readStored);
  const [blocked, setBlocked] = useState(false);

  const toggle = useCallback(() => {
    const next = blocked || !wanted;
    setBlocked(false);
    setWanted(next);
    try {
      localStorage.setItem(storageKeys.sound, next ? 'on' : 'off');
    } catch {
      // Storage is full or forbidden, so the choice is lost with the next page load.
    }
  }, [blocked, wanted]);

  const refused = useCallback(() => setBlocked(true), []);
  return { muted: blocked || !wanted, blocked: blocked && wanted, toggle, refused };
}
