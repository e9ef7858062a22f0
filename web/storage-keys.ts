/**
 * The names under which pages store data in the browser; one that ends in a dot is a prefix. No other code writes a name of
 * its own, and the privacy page names all of them (browser-storage.test.ts holds both).
 */
export const storageKeys = {
  user: 'user',
  token: 'authToken',
  /** The owner of data that is still stored after the server has ended the session. */
  leftBy: 'leftBy',
  /** Who has switched push messages on in this browser, and which subscription the server has. */
  pushOf: 'push.of',
  pushTold: 'push.told',
  theme: 'theme',
  sound: 'sound',
  autoplay: 'autoplay',
  captions: 'captions',
  captionLanguage: 'captions.language',
  viewer: 'viewer',
  playback: 'playback',
  /** Up to which story somebody's were seen, without a login. */
  storiesSeen: 'stories.seen',
  /** When Home was shown last. */
  lastVisit: 'lastVisit',
  /** The reels that this device has played in the last 30 days, newest first, and when. */
  reelsSeen: 'reels.seen',
  /** The list with which Home opens. */
  homeTab: 'home.tab',
  /** Reels, people and words that this device leaves out of ranked lists. */
  muted: 'muted',
  /** The reels that were watched in this tab. */
  visit: 'visit',
  /** Lists (specification §4): shown at once on the next visit, then refreshed from the server. */
  lists: 'jhalak.kept.',
  /** The person and month that were congratulated last. */
  congratulated: 'congratulated',
  drafts: 'jhalak.draft.',
  /** When this tab was last reloaded because the site had been built again. */
  renewed: 'renewed',
  /** URLs of unfinished uploads, so that an upload resumes when the same file is chosen after a reload. */
  uploads: 'upload.',
} as const;

/** The caches that pages open. The service worker knows them too, and has more of its own (web/public/service-worker.js). */
export const cacheNames = {
  compressed: 'jhalak-smaller-1',
  /** The service worker stores files here that another app shares with the site. */
  shared: 'jhalak-shared-1',
} as const;
