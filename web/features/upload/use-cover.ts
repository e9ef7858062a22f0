import { useEffect, useState } from 'react';
import type { Picked } from './media.ts';

/** The address of the picture that stands for a file, once there is one. */
export function useCover(thumbnail: Picked['thumbnail'] | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let url: string | undefined;
    let gone = false;
    // The one before stays until the next one is there.
    void (thumbnail ?? Promise.resolve(undefined)).then((picture) => {
      if (gone) return;
      url = picture && URL.createObjectURL(picture);
      setAddress(url);
    });
    return () => {
      gone = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [thumbnail]);
  return address;
}
