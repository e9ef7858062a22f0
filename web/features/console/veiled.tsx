import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { fetchFile } from './fetch-file.ts';
import { KeyName } from './key-name.tsx';
import { useLetterKeys, useLettersOn } from './letter-keys.ts';

/** The address of a picture, and which of several it is. */
interface VeiledPicture {
  address: string;
  caption?: MessageId;
}

/** Reported pictures beside each other, one with its video: blurred and grey until they are asked for, by the button or the key U. */
export function Veiled({ pictures, video = '' }: { pictures: readonly VeiledPicture[]; video?: string }) {
  const text = useText();
  const [isShown, setShown] = useState(false);
  const toggle = () => setShown(!isShown);
  const lettersOn = useLettersOn();
  useLetterKeys(true, { u: toggle });
  return (
    <div className="grid justify-items-start gap-3">
      <Button aria-keyshortcuts={lettersOn ? 'u' : undefined} aria-pressed={isShown} onClick={toggle}>
        {text(isShown ? 'console.hidePicture' : 'console.showPicture')}
        <KeyName name="u" />
      </Button>
      {/* Two are compared, so they stay beside each other also when they are shown in full. */}
      <div className={classNames('grid max-w-full gap-3', pictures.length > 1 && 'grid-cols-2')}>
        {pictures.map((picture) => (
          <Picture key={picture.address} {...picture} video={video} isShown={isShown} />
        ))}
      </div>
    </div>
  );
}

function Picture({ address, caption, video, isShown }: VeiledPicture & { video: string; isShown: boolean }) {
  const text = useText();
  const still = useFile(address);
  // A browser plays only what says that it is a video.
  const moving = useFile(isShown ? video : '', 'video/mp4');
  const error = moving.error ?? still.error;
  const picture = (
    <div className="min-w-0 overflow-hidden rounded-panel bg-night">
      {error && <p className="bg-sunken p-4">{failureText(error, text)}</p>}
      {moving.url ? (
        // biome-ignore lint/a11y/useMediaCaption: an operator looks at what somebody has published
        <video
          controls
          playsInline
          poster={still.url}
          src={moving.url}
          className="max-h-[60dvh] max-w-full"
        />
      ) : (
        still.url && (
          <img
            src={still.url}
            alt={text(caption ?? (isShown ? 'console.picture' : 'console.pictureVeiled'))}
            className={
              isShown ? 'max-h-[60dvh] max-w-full' : 'max-h-60 max-w-full scale-110 blur-2xl grayscale'
            }
          />
        )
      )}
    </div>
  );
  if (!caption) return picture;
  return (
    <figure className="grid min-w-0 content-start gap-1">
      {picture}
      <figcaption className="text-[0.9375rem] text-soft">{text(caption)}</figcaption>
    </figure>
  );
}

/** A file of an operators' call, as an address of this page; it is not kept. */
function useFile(address: string, type?: string): { url: string | undefined; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ['console-file', address],
    queryFn: ({ signal }) => fetchFile(address, signal),
    enabled: address !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(type ? new Blob([data], { type }) : data);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [data, type]);
  return { url, error };
}
