/** What a client must know before it sends anything; served at GET /api/config. Bytes, seconds and pixels. */
export const limits = {
  video: { maxBytes: 500 * 1024 * 1024, maxSeconds: 180, accept: ['video/*'] },
  photo: {
    maxBytes: 20 * 1024 * 1024,
    maxPixels: 50_000_000,
    accept: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/heic', 'image/heif'],
  },
  thumbnail: { width: 300, height: 533, atSecond: 1, maxBytes: 2 * 1024 * 1024 },
  categoriesPerReel: 3,
  caption: 2200,
  credit: 80,
  message: 5000,
  storyHours: 24,
} as const;
