import { useEffect, useState } from 'react';

interface CaptionLinesProps {
  /** The current video, which contains the tracks. */
  video: HTMLVideoElement | null;
  /** The language of the captions. */
  language: string;
  className: string;
}

/** Draws the current caption in the page. The browser's own captions would be covered by the player's overlays. */
export default function CaptionLines({ video, language, className }: CaptionLinesProps) {
  const [lines, setLines] = useState<string[]>([]);

  useEffect(() => {
    const tracks = [...(video?.textTracks ?? [])];
    const shown = tracks.find((track) => track.language === language);
    // In mode `hidden` the browser loads and times the captions, but does not draw them.
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

  if (lines.length === 0) return null;
  return (
    <p lang={language} dir="auto" data-captions className={className}>
      <span>{lines.join('\n')}</span>
    </p>
  );
}

const wordsOf = (cue: VTTCue) => cue.getCueAsHTML().textContent ?? '';
