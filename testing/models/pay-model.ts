/**
 * A second, independent implementation of what the months of a site pay, written for clarity and not for speed: watched views, likes,
 * established accounts, waiting views, releases, voids, coins that are taken back, and what a request pays.
 */
interface Watched {
  creator: string;
  month: string;
  day: string;
  /** Undefined for people who are not signed in. */
  account?: string | undefined;
  /** Needed only if reels are deleted. */
  reel?: string;
  many: number;
}

interface Like {
  creator: string;
  account: string;
  month: string;
}

interface Decided {
  creator: string;
  /** The month of the views, and the one in which their coins count or are taken back. */
  of: string;
  in: string;
  what: 'released' | 'waiting' | 'paid' | 'own';
  views: number;
  coins: number;
  /** Publications of a work that was found to be no copy. */
  reels?: number;
}

export interface Request {
  id: string;
  creator: string;
  month: string;
  carried: string[];
  paise: number;
  state: 'pending' | 'completed' | 'rejected';
}

export class PayModel {
  readonly requests: Request[] = [];
  readonly decided: Decided[] = [];
  private readonly watched: Watched[] = [];
  /** Reels that were deleted in the month of their publication, as `id month`. */
  private readonly undone = new Set<string>();
  private readonly left = new Set<string>();
  /** Of each closed month, the accounts that were deleted by then. */
  private readonly closed = new Map<string, Set<string>>();
  private readonly known = new Map<string, unknown>();
  private readonly reels = new Map<string, number>();
  /** By photo and account, each in the month in which it counts. */
  private readonly given = new Map<string, Like>();
  private readonly trusted: readonly string[];

  /** `trusted`: accounts that are old enough and verified. */
  constructor(trusted: readonly string[]) {
    this.trusted = trusted;
  }

  watch(one: Watched): void {
    this.watched.push(one);
    this.known.clear();
  }

  /** A view turns out to be the creator's own. */
  unwatch({ reel, day, account }: Pick<Watched, 'reel' | 'day' | 'account'>): void {
    const place = this.watched.findIndex(
      (one) => one.reel === reel && one.day === day && one.account === account && one.many === 1,
    );
    if (place < 0) throw new Error('there is no such view');
    this.watched.splice(place, 1);
    this.known.clear();
  }

  /** A reel is deleted in the month of its publication: its views do not count. */
  undo(reel: string, month: string): void {
    this.undone.add(`${reel} ${month}`);
    this.known.clear();
  }

  /** A month is closed: from now on its established accounts are those that are trusted and still exist. */
  close(month: string): void {
    this.closed.set(month, new Set(this.left));
    this.known.clear();
  }

  /** An account is deleted: it is established in no month that is closed later, and its likes of existing photos are undone. */
  leave(account: string, month: string, photos: Iterable<string>): void {
    this.left.add(account);
    for (const photo of photos) this.unlike(photo, account, month);
    this.known.clear();
  }

  /** Caches a value until the next change. */
  private once<T>(what: string, count: () => T): T {
    if (!this.known.has(what)) this.known.set(what, count());
    return this.known.get(what) as T;
  }

  /** Watched views of a month, by creator or by account. */
  private watchedBy(who: 'creator' | 'account', month: string): Map<string | undefined, Watched[]> {
    const all = this.once('by month', () => Map.groupBy(this.watched, (one) => one.month));
    return this.once(`by ${who} ${month}`, () => Map.groupBy(all.get(month) ?? [], (one) => one[who]));
  }

  private counts = ({ reel, month }: Watched) => !this.undone.has(`${reel} ${month}`);

  publish(creator: string, month: string, many: number): void {
    this.reels.set(`${creator} ${month}`, this.published(creator, month) + many);
  }

  published = (creator: string, month: string) => this.reels.get(`${creator} ${month}`) ?? 0;

  views(creator: string, month: string): number {
    return total((this.watchedBy('creator', month).get(creator) ?? []).filter(this.counts));
  }

  /** A like counts once over all months. */
  like(photo: string, like: Like): void {
    const key = `${photo} ${like.account}`;
    if (!this.given.has(key)) this.given.set(key, like);
    this.known.clear();
  }

  /** A like is taken back only in its own month. */
  unlike(photo: string, account: string, month: string): void {
    const key = `${photo} ${account}`;
    if (this.given.get(key)?.month === month) this.given.delete(key);
    this.known.clear();
  }

  private ofLikes = () =>
    this.once('likes', () => Map.groupBy(this.given.values(), (one) => `${one.creator} ${one.month}`));

  private likesOf = (creator: string, month: string) => this.ofLikes().get(`${creator} ${month}`) ?? [];

  likes(creator: string, month: string): number {
    return this.likesOf(creator, month).length;
  }

  unpaidLikes(creator: string, month: string): number {
    return this.likes(creator, month) - this.paidLikes(creator, month);
  }

  private paidLikes(creator: string, month: string): number {
    const likes = this.likesOf(creator, month);
    const established = new Set(this.established(month));
    const vouched = likes.filter(({ account }) => established.has(account));
    const byAccount = Map.groupBy(vouched, ({ account }) => account);
    const capped = [...byAccount.values()].reduce((sum, of) => sum + Math.min(30, of.length), 0);
    return capped + Math.min(250, likes.length - vouched.length);
  }

  /** Until a month is closed, every account that watched enough is expected to be established in it. */
  private established(month: string): string[] {
    return this.once(`established ${month}`, () => {
      const gone = this.closed.get(month);
      const accounts = gone
        ? this.trusted.filter((account) => !gone.has(account))
        : [...this.watchedBy('account', month).keys()].filter((account) => account !== undefined);
      return accounts.filter((account) => {
        const own = this.watchedBy('account', month).get(account) ?? [];
        const days = new Set(own.map((one) => one.day)).size;
        return total(own) >= 10 && days >= 3 && this.watchedCreators(account, month) >= 5;
      });
    });
  }

  private watchedCreators = (account: string, month: string) =>
    new Set(
      this.watchedBy('account', month)
        .get(account)
        ?.map(({ creator }) => creator),
    ).size;

  /** The established accounts that watched a creator. */
  private vouchers(creator: string, month: string): string[] {
    const viewers = new Set(
      this.watchedBy('creator', month)
        .get(creator)
        ?.map(({ account }) => account),
    );
    return this.established(month).filter((account) => viewers.has(account));
  }

  /** How many views of a creator the established accounts let pay. */
  private shares(creator: string, month: string): number {
    return this.vouchers(creator, month)
      .map((account) => Math.min(200, Math.trunc(20_000 / this.watchedCreators(account, month))))
      .reduce((sum, share) => sum + share, 0);
  }

  private paidViews(creator: string, month: string): number {
    return Math.min(this.views(creator, month), 1000 + this.shares(creator, month));
  }

  private decidedAbout = (creator: string, month: string) =>
    this.decided.filter((one) => one.creator === creator && one.of === month);

  /** Views and publications of works that were found to be no copies after the month was closed. */
  private ofOwnWorks(creator: string, month: string): { views: number; reels: number } {
    const works = this.decidedAbout(creator, month).filter(({ what }) => what === 'own');
    const sumOf = (counts: (one: Decided) => number) => works.reduce((sum, one) => sum + counts(one), 0);
    return { views: sumOf(({ views }) => views), reels: sumOf(({ reels = 0 }) => reels) };
  }

  /** All views of a month, and those that it pays by its limit. */
  private allViews(creator: string, month: string): { views: number; paid: number } {
    const views = this.views(creator, month) + this.ofOwnWorks(creator, month).views;
    return { views, paid: Math.min(views, 1000 + this.shares(creator, month)) };
  }

  waiting(creator: string, month: string): number {
    const about = this.decidedAbout(creator, month);
    if (about.some(({ what }) => what === 'released' || what === 'waiting')) return 0;
    const { views, paid } = this.allViews(creator, month);
    return views - paid;
  }

  /** A work that was taken for a copy in a closed month is none: what the month would have paid for it counts now. */
  findOwn(creator: string, month: string, work: { views: number; reels: number }, running: string): void {
    const has = (kind: string) => this.decidedAbout(creator, month).some(({ what }) => what === kind);
    const limit =
      has('released') && !has('waiting') ? Number.POSITIVE_INFINITY : 1000 + this.shares(creator, month);
    const before = this.ofOwnWorks(creator, month);
    const worth = (more: { views: number; reels: number }) =>
      5 * Math.min(50, this.published(creator, month) + more.reels) +
      Math.trunc(Math.min(this.views(creator, month) + more.views, limit) / 10);
    const after = { views: before.views + work.views, reels: before.reels + work.reels };
    const coins = worth(after) - worth(before);
    this.decided.push({ creator, of: month, in: running, what: 'own', ...work, coins });
  }

  months(creator: string): string[] {
    const ofReels = this.once('by creator', () => Map.groupBy(this.watched, (one) => one.creator));
    const months = [
      ...(ofReels.get(creator) ?? []).filter(this.counts).map(({ month }) => month),
      ...[...this.reels].flatMap(([key, reels]) => {
        const [who, month = ''] = key.split(' ');
        return who === creator && reels > 0 ? [month] : [];
      }),
      ...[...this.ofLikes().values()].flatMap(([like]) => (like?.creator === creator ? [like.month] : [])),
      ...this.decided.filter((one) => one.creator === creator && one.coins > 0).map((one) => one.in),
    ];
    return [...new Set(months)].sort();
  }

  private decidedIn(creator: string, month: string, kind: 'released' | 'own'): number {
    return this.decided
      .filter((one) => one.creator === creator && one.in === month && one.what === kind)
      .reduce((sum, { coins }) => sum + coins, 0);
  }

  /** By month: its coins, the coins taken back in it, and those left for later months. */
  worth(creator: string): Map<string, { coins: number; takenBack: number; missing: number }> {
    const worth = new Map<string, { coins: number; takenBack: number; missing: number }>();
    let debt = 0;
    for (const month of this.months(creator)) {
      for (const one of this.decided)
        if (one.creator === creator && one.in === month && (one.what === 'waiting' || one.what === 'paid'))
          debt += one.coins;
      const reels = Math.min(50, this.published(creator, month));
      const earned =
        reels * 5 +
        Math.trunc(this.paidViews(creator, month) / 10) +
        Math.trunc(this.paidLikes(creator, month) / 10) +
        this.decidedIn(creator, month, 'released') +
        this.decidedIn(creator, month, 'own');
      const takenBack = Math.min(earned, debt);
      debt -= takenBack;
      worth.set(month, { coins: earned - takenBack, takenBack, missing: debt });
    }
    return worth;
  }

  /** The pending or completed request that pays a month. */
  covering(creator: string, month: string): Request | undefined {
    return this.requests.find(
      (one) =>
        one.creator === creator &&
        one.state !== 'rejected' &&
        (one.month === month || one.carried.includes(month)),
    );
  }

  payable(creator: string, month: string): { paise: number; carried: string[] } {
    const worth = this.worth(creator);
    const own = worth.get(month)?.coins ?? 0;
    if (own === 0) return { paise: 0, carried: [] };
    const carried = [...worth].filter(([earlier, { coins, takenBack }]) => {
      if (earlier >= month || coins === 0 || coins >= 500 || this.covering(creator, earlier)) return false;
      return (
        this.decidedIn(creator, earlier, 'released') > takenBack || this.shares(creator, earlier) >= 1000
      );
    });
    const coins = carried.reduce((sum, [, one]) => sum + one.coins, own);
    return { paise: Math.trunc(coins / 5), carried: carried.map(([earlier]) => earlier) };
  }

  /** Returns whether anything was released. */
  release(creator: string, month: string, running: string): boolean {
    const views = this.waiting(creator, month);
    if (views === 0) return false;
    const all = this.allViews(creator, month).views;
    const coins = Math.trunc(all / 10) - Math.trunc((all - views) / 10);
    this.decided.push({ creator, of: month, in: running, what: 'released', views, coins });
    return true;
  }

  /** Returns whether anything became void. */
  declareVoid(creator: string, month: string, what: 'waiting' | 'paid', running: string): boolean {
    const of = this.decidedAbout(creator, month);
    if (of.some((one) => one.what === what)) return false;
    // Own works that were found after a release pay in full, in the month in which they were found.
    const paidLater = of.filter((one) => one.what === 'released' || one.what === 'own');
    const isReleased = of.some((one) => one.what === 'released');
    const { views: all, paid } = this.allViews(creator, month);
    const above = Math.trunc(all / 10) - Math.trunc(paid / 10);
    const latest =
      paidLater
        .map((one) => one.in)
        .sort()
        .at(-1) ?? month;
    const taken =
      what === 'paid'
        ? { views: paid, coins: Math.trunc(paid / 10), home: month }
        : isReleased
          ? { views: all - paid, coins: above, home: latest }
          : { views: this.waiting(creator, month), coins: 0, home: month };
    if (taken.views === 0) return false;
    const isPaid = this.months(creator).some((one) => one >= taken.home && this.covering(creator, one));
    const { views, coins } = taken;
    this.decided.push({ creator, of: month, in: isPaid ? running : taken.home, what, views, coins });
    return true;
  }
}

const total = (watched: readonly Watched[]) => watched.reduce((sum, { many }) => sum + many, 0);
