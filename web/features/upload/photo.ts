import { Image } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { contentObjection, sizeObjection } from './check-photo.ts';
import type { Media } from './media.ts';
import { PhotoPreview } from './photo-preview.tsx';

export const photo: Media = {
  // Not HEIC by name: where a phone finds it here it sends HEIC, and elsewhere the JPEG that everything reads.
  accept: 'image/*',
  typePrefix: 'image/',
  limits: {
    megabytes: limits.photo.maxBytes / 1024 / 1024,
    megapixels: limits.photo.maxPixels / 1_000_000,
  },
  words: {
    label: 'upload.photo',
    drop: 'upload.dropPhoto',
    dropTouch: 'upload.dropPhotoTouch',
    pick: 'upload.pickPhoto',
    camera: 'upload.takePhoto',
    limits: 'upload.photoLimits',
    missing: 'upload.photoMissing',
    checking: 'upload.checkingPhoto',
  },
  sizeObjection,
  contentObjection,
  // The photo stands for itself; none is sent.
  thumbnailOf: async (file) => file,
  icon: Image,
  Preview: PhotoPreview,
};
