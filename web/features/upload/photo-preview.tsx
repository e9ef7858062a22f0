import { useEffect, useState } from 'react';
import { useText } from '#web/text.tsx';
import type { Picked } from './media.ts';

/** The photo as it will be, or that this browser does not show it: an iPhone's HEIC, say. */
export function PhotoPreview({ picked: { file } }: { picked: Picked }) {
  const text = useText();
  const [url, setUrl] = useState<string>();
  /** The address that could not be shown. */
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
        // An element of its own: what is told late of the one before it is not told of this one.
        key={url}
        src={url}
        alt={text('upload.preview', { name: file.name })}
        onError={() => setUnseen(url)}
        className="absolute inset-0 size-full object-contain"
      />
    )
  );
}
