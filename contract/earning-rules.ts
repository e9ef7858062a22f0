/** What an event is worth (specification §9, decisions §4). These numbers are defined only here. */
export const rates = {
  coinsPerReel: 5,
  coinsPerPost: 2,
  coinsPerStory: 1,
  viewsPerCoin: 10,
  likesPerCoin: 10,
  /** For a reel scrolled, a reel or photo liked, an active hour; reported by the app. */
  coinsPerActivity: 1,
  coinsPerRupee: 500,
  activityCoinsPerRupee: 5000,
  /** Smallest withdrawal, in paise. */
  minimumWithdrawalPaise: 100,
};

/** The conditions for earning (specification §9), as shown on /EarningInfo; coins are counted by the rates alone. */
export const earningRules = { shortVideos: 50, pictures: 30, activeHoursADay: 1 } as const;

/** Which events of a month pay (decisions §4). */
export interface RuleTable {
  /** When a showing of a reel becomes a watched view. Times are measured from the moment at which the server issued its lease. */
  watch: {
    /** Seconds of play, or this share of a shorter reel. */
    seconds: number;
    share: number;
    /** With at least this share of the picture visible. */
    visibleShare: number;
    /** The server wants this share of them to have passed on its own clock: an answer travels to the player and back. */
    shareOnServer: number;
    leaseMinutes: number;
    /** Watched views of one viewer that count in a day. */
    viewsADay: number;
    /** A browser is one's own for so many days after one was signed in there. */
    ownBrowserDays: number;
  };
  /**
   * The maximum numbers of single rows of watched views, so that the table stays bounded although anybody can watch. Further views without a
   * login are only counted by reel and day, and pay like others.
   */
  singleViews: {
    /** In a creator's month, and more of them for each account that watched the creator in it. */
    ofCreator: number;
    forEachAccount: number;
    /** From one network on a day. */
    ofNetwork: number;
  };
  /** Which accounts vouch for the creators that they watched in a month. */
  established: {
    /** Age at the end of the month, in days, with a verified address; and where the server has no mail. */
    days: number;
    daysWithoutMail: number;
    /** What the account watched in the month: views, creators, days. */
    views: number;
    creators: number;
    watchedDays: number;
  };
  /** How many watched views and likes of a creator's month pay. */
  vouching: {
    /** Without any established account. */
    views: number;
    likes: number;
    /** What each established account lets pay in addition: views of each creator that it watched, and of all of them together. */
    viewsPerCreator: number;
    viewsInAll: number;
    /** Its likes of one creator's posts that pay. */
    likesPerAccount: number;
    /** Views that established accounts must let pay of a month, so that it may be carried: those of five regular viewers. */
    sharesToCarry: number;
  };
  /** How many publications of a month pay. */
  paidPublications: PaidPublications;
  /** Seconds: a shorter reel earns nothing for its publication. */
  shortestPaidReel: number;
}

export const rules: RuleTable = {
  watch: {
    seconds: 5,
    share: 0.9,
    visibleShare: 0.5,
    shareOnServer: 0.8,
    leaseMinutes: 10,
    viewsADay: 1000,
    ownBrowserDays: 30,
  },
  singleViews: { ofCreator: 10_000, forEachAccount: 1000, ofNetwork: 50_000 },
  established: { days: 7, daysWithoutMail: 30, views: 10, creators: 5, watchedDays: 3 },
  vouching: {
    views: 1000,
    likes: 250,
    viewsPerCreator: 200,
    viewsInAll: 20_000,
    likesPerAccount: 30,
    sharesToCarry: 1000,
  },
  paidPublications: { reels: 50, posts: 30, stories: 30 },
  shortestPaidReel: 1,
};

/** A network is one IPv4 address, or the IPv6 addresses with so many first bits in common. */
export const networkBits = 64;
/** Showings of one viewer in a minute. */
export const showingsAMinute = 60;
/** For so many days after a site's first start, older apps, which know no leases, are measured by the time until their next showing. */
export const paceDays = 90;

/** Seconds that a reel of this duration must play for a watched view. */
export function secondsToWatch(duration: number, { seconds, share }: RuleTable['watch']): number {
  return duration > 0 ? Math.min(seconds, duration * share) : seconds;
}

/** What happened to a creator in a month, counted. */
export interface MonthCounts {
  reels: number;
  posts: number;
  stories: number;
  views: number;
  likes: number;
}

/**
 * From which sums on a month is marked (docs/decisions/0067-marks.md): at least so many views, accounts or likes, and this share of all. A
 * family of five that likes each of the 30 photos that pay gives 150 likes.
 */
export const markRules = {
  few_viewers: { least: 200, share: 0.5 },
  few_networks: { least: 200, share: 0.8 },
  accounts_of_one_day: { least: 10, share: 0.8 },
  few_likers: { least: 200, share: 0.5 },
} as const;

/** How many publications of a month pay. */
export type PaidPublications = Pick<MonthCounts, 'reels' | 'posts' | 'stories'>;

/** The counts, with the publications that pay. */
export function paidOf(counts: MonthCounts): MonthCounts {
  const most = rules.paidPublications;
  return {
    ...counts,
    reels: Math.min(counts.reels, most.reels),
    posts: Math.min(counts.posts, most.posts),
    stories: Math.min(counts.stories, most.stories),
  };
}

/** Content coins of a month (decisions §4): integers, each pair of tens rounded down once. */
export function coinsOf(counts: MonthCounts): number {
  return (
    counts.reels * rates.coinsPerReel +
    counts.posts * rates.coinsPerPost +
    counts.stories * rates.coinsPerStory +
    Math.floor(counts.views / rates.viewsPerCoin) +
    Math.floor(counts.likes / rates.likesPerCoin)
  );
}

/** Paise for content coins, rounded down once, at the end. */
export function paiseOf(coins: number): number {
  return inPaise(coins, rates.coinsPerRupee);
}

/** Paise for activity coins, which have a rate of their own. */
export function activityPaiseOf(coins: number): number {
  return inPaise(coins, rates.activityCoinsPerRupee);
}

/** Exact up to 2^53 coins: whole rupees first, so that nothing in between grows beyond what a number holds. */
function inPaise(coins: number, coinsPerRupee: number): number {
  return (
    Math.floor(coins / coinsPerRupee) * 100 + Math.floor(((coins % coinsPerRupee) * 100) / coinsPerRupee)
  );
}

/** An amount as a screen shows it: rupees with two decimals, without the sign. */
export function rupeesOf(paise: number): string {
  return `${Math.floor(paise / 100)}.${String(paise % 100).padStart(2, '0')}`;
}
