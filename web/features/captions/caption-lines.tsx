import { useEffect, useState } from 'react';

interface CaptionLinesProps {
  /** The video on the screen, with its tracks inside. */
  video: HTMLVideoElement | null;
  /** Of the captions that are shown, if any are. */
  language: string | undefined;
  className: string;
}

/** What is said at this moment, in the page's own place and letters: a browser's captions would lie under its overlays. */
export function CaptionLines({ video, language, className }: CaptionLinesProps) {
  const [lines, setLines] = useState<string[]>([]);

  useEffect(() => {
    const tracks = [...(video?.textTracks ?? [])];
    const shown = tracks.find((track) => track.language === language);
    // Hidden: fetched and timed by the browser, drawn by nobody but us.
    for (const track of tracks) track.mode = track === shown ? 'hidden' : 'disabled';
    if (!shown) return;
    const follow = () => setLines([...(shown.activeCues ?? [])].map((cue) => wordsOf(cue as VTTCue)));
    follow();
    shown.addEventListener('cuechange', follow);
    return () => {
      shown.removeEventListener('cuechange', follow);
      shown.mode = 'disabled';
      setLines([]);
    };
  }, [video, language]);

  if (!language || lines.length === 0) return null;
  return (
    <p lang={language} dir="auto" data-captions className={className}>
      <span>{lines.join('\n')}</span>
    </p>
  );
}

const wordsOf = (cue: VTTCue) => cue.getCueAsHTML().textContent ?? '';
