import { useCallback, useState } from 'react';
import { storageKeys } from '#web/storage-keys.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useSite } from '../chrome/use-site.ts';
import { type CaptionChoice, type CaptionTrack, chosenTrack } from './tracks.ts';

function storedChoice(): CaptionChoice {
  try {
    const language = localStorage.getItem(storageKeys.captionLanguage) ?? undefined;
    return { on: localStorage.getItem(storageKeys.captions) === 'on', language };
  } catch {
    return { on: false, language: undefined };
  }
}

function storeChoice({ on, language }: CaptionChoice): void {
  try {
    localStorage.setItem(storageKeys.captions, on ? 'on' : 'off');
    if (language) localStorage.setItem(storageKeys.captionLanguage, language);
  } catch {
    // Storage is full or forbidden, so the choice is lost with the next page load.
  }
}

export interface Captions {
  tracks: readonly CaptionTrack[];
  shown: CaptionTrack | undefined;
  /** Turns captions on or off, in the language chosen last. */
  toggle: () => void;
  /** Chooses a language; undefined turns captions off. */
  choose: (language: string | undefined) => void;
}

/** Which of a reel's captions are shown. The choice applies to all reels and is stored for the next visit. */
export function useCaptions(tracks: readonly CaptionTrack[]): Captions {
  const { lang } = useSite();
  const hydrated = useHydrated();
  const [choice, setChoice] = useState(storedChoice);
  const change = useCallback((next: CaptionChoice) => {
    setChoice(next);
    storeChoice(next);
  }, []);
  return {
    tracks,
    // The server does not know the visitor's choice, so it applies only after hydration.
    shown: hydrated ? chosenTrack(tracks, choice, lang) : undefined,
    toggle: () => change({ ...choice, on: !choice.on }),
    choose: (language) => change({ on: language !== undefined, language: language ?? choice.language }),
  };
}
