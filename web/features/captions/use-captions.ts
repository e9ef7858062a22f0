import { useCallback, useState } from 'react';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useSite } from '../chrome/use-site.ts';
import { type CaptionChoice, type CaptionTrack, chosenTrack } from './tracks.ts';

function kept(): CaptionChoice {
  try {
    const language = localStorage.getItem('captions.language') ?? undefined;
    return { on: localStorage.getItem('captions') === 'on', language };
  } catch {
    return { on: false, language: undefined };
  }
}

function keep({ on, language }: CaptionChoice): void {
  try {
    localStorage.setItem('captions', on ? 'on' : 'off');
    if (language) localStorage.setItem('captions.language', language);
  } catch {
    // Storage is full or forbidden: the choice holds for as long as the page lives.
  }
}

export interface Captions {
  tracks: readonly CaptionTrack[];
  shown: CaptionTrack | undefined;
  /** On, or off, in the language chosen last. */
  toggle: () => void;
  /** Shows a language from now on; undefined shows none. */
  choose: (language: string | undefined) => void;
}

/** Which of a reel's captions stand: as chosen once for all, kept for the next visit. */
export function useCaptions(tracks: readonly CaptionTrack[]): Captions {
  const { lang } = useSite();
  const hydrated = useHydrated();
  const [choice, setChoice] = useState(kept);
  const change = useCallback((next: CaptionChoice) => {
    setChoice(next);
    keep(next);
  }, []);
  return {
    tracks,
    // What the server rendered knows of no choice.
    shown: hydrated ? chosenTrack(tracks, choice, lang) : undefined,
    toggle: () => change({ ...choice, on: !choice.on }),
    choose: (language) => change({ on: language !== undefined, language: language ?? choice.language }),
  };
}
