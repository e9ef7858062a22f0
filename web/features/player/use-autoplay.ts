import { useState } from 'react';
import { storageKeys } from '#web/storage-keys.ts';

const readStored = () => {
  try {
    return localStorage.getItem(storageKeys.autoplay) === 'on';
  } catch {
    return false;
  }
};

/** Whether the next reel follows by itself. A reel repeats until somebody chooses that; the choice is stored for the next visit. */
export function useAutoplay() {
  const [isOn, setIsOn] = useState(readStored);
  function toggle() {
    setIsOn(!isOn);
    try {
      localStorage.setItem(storageKeys.autoplay, isOn ? 'off' : 'on');
    } catch {
      // Storage is full or forbidden, so the choice is lost with the next page load.
    }
  }
  return { isOn, toggle };
}

export type Autoplay = ReturnType<typeof useAutoplay>;
