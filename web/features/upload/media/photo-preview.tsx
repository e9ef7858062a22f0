import { useEffect, useState } from 'react';
import { useText } from '#web/text.tsx';
import type { Picked } from './media.ts';

/** Shows the photo, or a message if this browser cannot show it (for example HEIC). */
export function PhotoPreview({ picked: { file } }: { picked: Picked }) {
  const text = useText();
  const [url, setUrl] = useState<string>();
  /** The object URL that the browser could not show. */
  const [unseen, setUnseen] = useState<string>();
  useEffect(() => {
    const address = URL.createObjectURL(file);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  if (url && unseen === url) {
    return (
      <p className="absolute inset-x-6 top-2/5 text-balance rounded-control bg-night/85 px-3 py-2 text-center">
        {text('upload.noPhotoPreview', { name: file.name })}
      </p>
    );
  }
  return (
    url && (
      <img
        // The key makes a new element per photo, so that a late error of the previous photo is not taken for this one.
        key={url}
        src={url}
        alt={text('upload.preview', { name: file.name })}
        onError={() => setUnseen(url)}
        className="absolute inset-0 size-full object-contain"
      />
    )
  );
}
