import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { KeyName } from './key-name.tsx';
import { useLetterKeys, useLettersOn } from './letter-keys.ts';

/** A reported picture, with its video: blurred and grey until it is asked for, by the button or the key U. */
export function Veiled({ picture, video }: { picture: string; video: string }) {
  const text = useText();
  const [isShown, setShown] = useState(false);
  const toggle = () => setShown(!isShown);
  const lettersOn = useLettersOn();
  useLetterKeys(true, { u: toggle });
  return (
    <div className="grid justify-items-start gap-3">
      <div className="overflow-hidden rounded-panel bg-night">
        {isShown && video ? (
          // biome-ignore lint/a11y/useMediaCaption: an operator looks at what somebody has published
          <video controls playsInline poster={picture} src={video} className="max-h-[60dvh] max-w-full" />
        ) : (
          <img
            src={picture}
            alt={text(isShown ? 'console.picture' : 'console.pictureVeiled')}
            className={
              isShown ? 'max-h-[60dvh] max-w-full' : 'max-h-60 max-w-full scale-110 blur-2xl grayscale'
            }
          />
        )}
      </div>
      <Button aria-keyshortcuts={lettersOn ? 'u' : undefined} aria-pressed={isShown} onClick={toggle}>
        {text(isShown ? 'console.hidePicture' : 'console.showPicture')}
        <KeyName name="u" />
      </Button>
    </div>
  );
}
