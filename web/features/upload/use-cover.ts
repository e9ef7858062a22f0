import { useEffect, useState } from 'react';
import type { Picked } from './media.ts';

/** The address of the picture that stands for a file, once there is one. */
export function useCover(thumbnail: Picked['thumbnail'] | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let url: string | undefined;
    let gone = false;
    void thumbnail?.then((picture) => {
      if (gone || !picture) return;
      url = URL.createObjectURL(picture);
      setAddress(url);
    });
    return () => {
      gone = true;
      setAddress(undefined);
      if (url) URL.revokeObjectURL(url);
    };
  }, [thumbnail]);
  return address;
}
