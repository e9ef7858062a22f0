/** What a client must know before it sends anything; served at GET /api/config. Bytes, seconds and pixels. */
export const limits = {
  video: {
    maxBytes: 500 * 1024 * 1024,
    maxSeconds: 180,
    /** Accepted beyond the limit: a camera set to three minutes records a few frames more. */
    toleranceSeconds: 1,
    /** What a system has no type for is named by its ending. */
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
  /** A file of captions: its size, its cues, the characters of one; and how many languages a reel can have. */
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
  /** Events in one report of the app's activity. */
  activityBatch: 100,
  /** A session ends after so many days without use (decisions §2). */
  sessionDays: 30,
  /** And after so many in all. */
  sessionDaysInAll: 180,
  /** Years (specification §9). */
  minimumAge: 13,
} as const;
