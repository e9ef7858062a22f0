/**
 * A second, independent count of what established accounts let a creator's month pay (decisions §4), from what accounts did and not from
 * the server's tables. It is an upper limit: a view that the server may refuse for another reason counts here, too.
 */
export interface Account {
  joinedAt: number;
  /** Undefined for an address that was not verified. */
  verifiedAt: number | undefined;
}

/** A showing, reported or followed as the rules require, of another creator's reel. */
export interface PossibleView {
  account: string | undefined;
  /** The account, or the browser and the address. The server never counts more viewers than there are of these. */
  viewer: string;
  creator: string;
  reel: string;
  /** When it is reported. */
  at: number;
}

interface Month {
  /** When the month begins and ends. */
  begin: number;
  end: number;
  hasMail: boolean;
}

interface Watched {
  creators: Set<string>;
  days: Set<number>;
  views: Set<string>;
}

const day = 24 * 60 * 60_000;

export class EstablishedModel {
  /** The accounts that were created here, and not on the site from before. */
  readonly accounts = new Map<string, Account>();
  private readonly ofAccounts = new Map<string, Watched>();
  private readonly ofCreators = new Map<string, Set<string>>();
  private readonly likes = new Map<string, Set<string>>();
  /** Until the next act. */
  private established: readonly string[] | undefined;
  private readonly month: Month;

  constructor(month: Month) {
    this.month = month;
  }

  join(id: string, account: Account): void {
    this.accounts.set(id, account);
    this.established = undefined;
  }

  /** An account that is deleted within the month is not established. */
  leave(id: string): void {
    this.accounts.delete(id);
    this.established = undefined;
  }

  watch({ account, viewer, creator, reel, at }: PossibleView): void {
    const { begin, end } = this.month;
    this.established = undefined;
    if (at < begin || at >= end) return;
    const today = Math.floor((at - begin) / day);
    const views = this.ofCreators.get(creator) ?? new Set();
    this.ofCreators.set(creator, views.add(`${viewer} ${reel} ${today}`));
    if (account === undefined || !this.accounts.has(account)) return;
    const watched = this.ofAccounts.get(account) ?? {
      creators: new Set(),
      days: new Set(),
      views: new Set(),
    };
    watched.creators.add(creator);
    watched.days.add(today);
    watched.views.add(`${reel} ${today}`);
    this.ofAccounts.set(account, watched);
  }

  /** A like of a photo of another creator. */
  like({ account, creator, photo }: { account: string; creator: string; photo: string }): void {
    const key = `${account} ${creator}`;
    this.likes.set(key, (this.likes.get(key) ?? new Set()).add(photo));
  }

  /** How many views of a creator can count at most: one for each viewer, reel and day. */
  possibleViews(creator: string): number {
    return this.ofCreators.get(creator)?.size ?? 0;
  }

  /** How many accounts that meet the conditions watched a creator, how many views they let pay, and how many of their likes pay. */
  vouching(creator: string): { accounts: number; views: number; likes: number } {
    this.established ??= this.findEstablished();
    const { established } = this;
    const likes = established.reduce(
      (sum, id) => sum + Math.min(30, this.likes.get(`${id} ${creator}`)?.size ?? 0),
      0,
    );
    const watching = established
      .flatMap((id) => this.ofAccounts.get(id) ?? [])
      .filter(({ creators }) => creators.has(creator));
    const views = watching.reduce(
      (sum, { creators }) => sum + Math.min(200, Math.floor(20_000 / creators.size)),
      0,
    );
    return { accounts: watching.length, views, likes };
  }

  private findEstablished(): string[] {
    return [...this.accounts.keys()].filter((id) => this.isEstablished(id));
  }

  private isEstablished(id: string): boolean {
    const [account, watched] = [this.accounts.get(id), this.ofAccounts.get(id)];
    if (!account || !watched) return false;
    const { end, hasMail } = this.month;
    const isVerified = !hasMail || (account.verifiedAt !== undefined && account.verifiedAt < end);
    const isOld = end - account.joinedAt > (hasMail ? 7 : 30) * day;
    const isActive = watched.views.size >= 10 && watched.days.size >= 3;
    return isVerified && isOld && isActive && watched.creators.size >= 5;
  }
}

interface Paid {
  paid: { views: number; likes: number };
  paise: number;
}

/**
 * By how many paise a month exceeds what the rules allow before any release: 1,000 views and 250 likes, those that established accounts let
 * pay, and 93 paise besides these. Views and likes are compared each, too, since few months reach the maximum of everything.
 */
export function paiseOver(
  { paid, paise }: Paid,
  { views: more, likes }: { views: number; likes: number },
): number {
  return Math.max(
    paise - 93 - (more + likes) / 50,
    (paid.views - 1000 - more) / 50,
    (paid.likes - 250 - likes) / 50,
  );
}
