import { Clapperboard } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { contentProblem, sizeProblem } from './check-video.ts';
import type { Media } from './media.ts';
import { takeThumbnail } from './take-thumbnail.ts';
import { VideoPreview } from './video-preview.tsx';

export const video: Media = {
  accept: limits.video.accept.join(','),
  typePrefix: 'video/',
  limits: { megabytes: limits.video.maxBytes / 1024 / 1024, minutes: limits.video.maxSeconds / 60 },
  words: {
    label: 'upload.video',
    drop: 'upload.drop',
    dropTouch: 'upload.dropTouch',
    pick: 'upload.pick',
    camera: 'upload.record',
    limits: 'upload.limits',
    missing: 'upload.missing',
    checking: 'upload.checking',
  },
  sizeProblem,
  contentProblem,
  thumbnailOf: takeThumbnail,
  icon: Clapperboard,
  Preview: VideoPreview,
};
