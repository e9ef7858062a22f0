/**
 * What an event is worth (specification §9, decisions §4). The only place where these numbers stand.
 * A new version is a new entry: past months keep the rates they were earned under.
 */
export interface Rates {
  /** First month, YYYY-MM, these hold for. */
  from: string;
  coinsPerReel: number;
  coinsPerPost: number;
  coinsPerStory: number;
  viewsPerCoin: number;
  likesPerCoin: number;
  /** For a reel scrolled, a reel or photo liked, an active hour; told by the app. */
  coinsPerActivity: number;
  coinsPerRupee: number;
  activityCoinsPerRupee: number;
  /** Smallest withdrawal, in paise. */
  minimumWithdrawalPaise: number;
}

const versions: readonly [Rates, ...Rates[]] = [
  {
    from: '0000-01',
    coinsPerReel: 5,
    coinsPerPost: 2,
    coinsPerStory: 1,
    viewsPerCoin: 10,
    likesPerCoin: 10,
    coinsPerActivity: 1,
    coinsPerRupee: 500,
    activityCoinsPerRupee: 5000,
    minimumWithdrawalPaise: 100,
  },
];

/** The rates of a month (YYYY-MM). */
export function ratesOf(month: string): Rates {
  return versions.findLast((rates) => rates.from <= month) ?? versions[0];
}

/** What happened to a creator in a month, counted. */
export interface MonthCounts {
  reels: number;
  posts: number;
  stories: number;
  views: number;
  likes: number;
}

/** Content coins of a month (decisions §4): integers, each pair of tens rounded down once. */
export function coinsOf(counts: MonthCounts, rates: Rates): number {
  return (
    counts.reels * rates.coinsPerReel +
    counts.posts * rates.coinsPerPost +
    counts.stories * rates.coinsPerStory +
    Math.floor(counts.views / rates.viewsPerCoin) +
    Math.floor(counts.likes / rates.likesPerCoin)
  );
}

/** Paise for content coins, rounded down once, at the end. */
export function paiseOf(coins: number, rates: Rates): number {
  return Math.floor((coins * 100) / rates.coinsPerRupee);
}
