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
  /** Of one comment; those after them are not notified. */
  mentionedPeople: 5,
  link: 2000,
  message: 5000,
  /** How a visitor who reports something wants to be answered. */
  reportContact: 254,
  storyHours: 24,
  /** Maximum number of people that one person blocks (decisions §8). */
  blocks: 5000,
  /** Maximum number of events in one activity report. */
  activityBatch: 100,
  /** A session ends after this many days without use (decisions §2). */
  sessionDays: 30,
  /** A session ends at this age in days. */
  sessionDaysInAll: 180,
  /** Minimum age in years (specification §9). */
  minimumAge: 13,
} as const;

interface DailyLimit {
  /** Of a signed-in person, on all devices and networks together. */
  person?: number;
  /** Of all visitors without a login behind one IPv4 address or in one IPv6 /48. */
  network?: number;
}

/**
 * How often a day the calls of one kind succeed. These numbers bound the tables: no honest person meets them, and a script that adds
 * rows all day stops here. A day begins with the first call. Requests that are refused or fail do not count.
 */
export const dailyLimits = {
  /** 5,000 people behind one carrier's address can each sign up four times. */
  signUps: { network: 20_000 },
  /** Contact messages and feedback together, which operators read. */
  messages: { person: 20, network: 200 },
  /** Four times as many as a month pays for; each is encoded. */
  reels: { person: 200 },
  /** Ten times as many as a month pays for; each is stored in several sizes. */
  photos: { person: 300 },
  stories: { person: 300 },
  /** One in five seconds, for seven hours. */
  seenStories: { person: 5000 },
  /** One in a minute, for sixteen hours. */
  comments: { person: 1000 },
  /** Likes of reels and photos together: one in eleven seconds, for sixteen hours. */
  likes: { person: 5000 },
  shares: { person: 5000 },
  follows: { person: 5000 },
  /** Of all reels and posts together; each leaves an earlier version. */
  edits: { person: 20 },
  /** Each is read by an operator. */
  reports: { person: 200, network: 20 },
} as const satisfies Record<string, DailyLimit>;

/** Maximum number of sessions of a person: a new one ends the one that was not used for longest. */
export const sessionsAtMost = 100;
