/** Limits for clients, published by GET /api/config, in bytes, seconds and pixels. */
export const limits = {
  video: {
    maxBytes: 500 * 1024 * 1024,
    maxSeconds: 180,
    /** Tolerance, because a camera set to three minutes records a few frames more. */
    toleranceSeconds: 1,
    /** File name extensions for systems that do not know the media type. */
    accept: [
      'video/*',
      '.mkv',
      '.flv',
      '.mts',
      '.m2ts',
      '.ts',
      '.mpg',
      '.vob',
      '.mxf',
      '.ogv',
      '.wmv',
      '.asf',
    ],
  },
  photo: {
    maxBytes: 20 * 1024 * 1024,
    maxPixels: 50_000_000,
    accept: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/heic', 'image/heif'],
  },
  thumbnail: { width: 300, height: 533, atSecond: 1, maxBytes: 2 * 1024 * 1024 },
  /** Captions: size of the file, number of cues, characters of a cue, languages of a reel. */
  captions: { maxBytes: 256 * 1024, cues: 1000, characters: 300, languages: 5 },
  categoriesPerReel: 3,
  caption: 2200,
  description: 5000,
  statusText: 700,
  credit: 80,
  comment: 1000,
  link: 2000,
  message: 5000,
  storyHours: 24,
  /** Maximum number of events in one activity report. */
  activityBatch: 100,
  /** A session ends after this many days without use (decisions §2). */
  sessionDays: 30,
  /** A session ends at this age in days. */
  sessionDaysInAll: 180,
  /** Minimum age in years (specification §9). */
  minimumAge: 13,
} as const;
