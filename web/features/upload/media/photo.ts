import { Image } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { contentProblem, sizeProblem } from './check-photo.ts';
import type { Media } from './media.ts';
import { PhotoPreview } from './photo-preview.tsx';

export const photo: Media = {
  // HEIC is not listed, because an iPhone then converts the photo to JPEG, which every browser can show.
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
  sizeProblem,
  contentProblem,
  // The photo itself serves as the thumbnail, and no other file is sent.
  thumbnailOf: async (file) => file,
  icon: Image,
  Preview: PhotoPreview,
};
