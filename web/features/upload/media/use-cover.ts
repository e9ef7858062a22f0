import { useEffect, useState } from 'react';
import type { Picked } from './media.ts';

/** An object URL of a file's thumbnail; undefined until the thumbnail is ready. */
export function useCover(thumbnail: Picked['thumbnail'] | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let url: string | undefined;
    let unmounted = false;
    // The previous thumbnail stays visible until the next one is ready.
    void (thumbnail ?? Promise.resolve(undefined)).then((picture) => {
      if (unmounted) return;
      url = picture && URL.createObjectURL(picture);
      setAddress(url);
    });
    return () => {
      unmounted = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [thumbnail]);
  return address;
}
