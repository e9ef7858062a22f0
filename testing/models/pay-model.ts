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
  /** The reel was wrongly taken for a copy when it was watched. */
  ofFormerCopy?: boolean;
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
  what: 'released' | 'waiting' | 'paid';
  views: number;
  coins: number;
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
  /** Reels that were deleted in the month of their publication, and accounts that were deleted in a month, as `id month`. */
  private readonly undone = new Set<string>();
  private readonly left = new Set<string>();
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
      (one) =>
        one.reel === reel &&
        one.day === day &&
        one.account === account &&
        one.many === 1 &&
        !one.ofFormerCopy,
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

  /** An account is deleted: it is not established in that month, and its likes of existing photos are undone. */
  leave(account: string, month: string, photos: Iterable<string>): void {
    this.left.add(`${account} ${month}`);
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
    const vouched = likes.filter(({ account }) => established.has(account)).length;
    return vouched + Math.min(250, likes.length - vouched);
  }

  /** Creators with counted views in a month. */
  private creators(month: string): string[] {
    return [...this.watchedBy('creator', month)].flatMap(([creator = '', views]) =>
      views.some(this.counts) ? [creator] : [],
    );
  }

  private established(month: string): string[] {
    return this.once(`established ${month}`, () => {
      const [before, now] = [this.creators(previous(month)).length, this.creators(month).length];
      const isFirst = !this.watched.some((one) => one.month < month && this.counts(one));
      const others = isFirst ? now - 1 : Math.min(before - 1, now - 1);
      const needed = Math.max(2, Math.min(5, others));
      return this.trusted.filter((account) => {
        const own = this.watchedBy('account', month).get(account) ?? [];
        const distinct = (of: 'creator' | 'day') => new Set(own.map((one) => one[of])).size;
        const isThere = !this.left.has(`${account} ${month}`);
        return isThere && total(own) >= 10 && distinct('day') >= 3 && distinct('creator') >= needed;
      });
    });
  }

  /** The established accounts that watched a creator. */
  private vouchers(creator: string, month: string): string[] {
    const viewers = new Set(
      this.watchedBy('creator', month)
        .get(creator)
        ?.map(({ account }) => account),
    );
    return this.established(month).filter((account) => viewers.has(account));
  }

  private viewsPerAccount(month: string): number {
    return this.once(`views per account ${month}`, () => {
      const before = previous(month);
      const creators = [...this.watchedBy('creator', before).keys()].map((creator = '') => creator);
      const views = creators.reduce((sum, creator) => sum + this.views(creator, before), 0);
      const pairs = creators.reduce((sum, creator) => sum + this.vouchers(creator, before).length, 0);
      if (pairs === 0) return 200;
      return Math.max(200, Math.min(1000, Math.trunc((views * 3) / pairs)));
    });
  }

  private paidViews(creator: string, month: string): number {
    const views = this.views(creator, month);
    if (views <= 1000) return views;
    const more = this.viewsPerAccount(month) * this.vouchers(creator, month).length;
    return Math.min(views, 1000 + more);
  }

  waiting(creator: string, month: string): number {
    const isDecided = this.decided.some(
      (one) => one.creator === creator && one.of === month && one.what !== 'paid',
    );
    return isDecided ? 0 : this.views(creator, month) - this.paidViews(creator, month);
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
      ...this.decided
        .filter((one) => one.creator === creator && (one.what === 'released' || one.coins > 0))
        .map((one) => one.in),
    ];
    return [...new Set(months)].sort();
  }

  private releasedIn(creator: string, month: string): number {
    return this.decided
      .filter((one) => one.creator === creator && one.in === month && one.what === 'released')
      .reduce((sum, { coins }) => sum + coins, 0);
  }

  /** By month: its coins, the coins taken back in it, and those left for later months. */
  worth(creator: string): Map<string, { coins: number; takenBack: number; missing: number }> {
    const worth = new Map<string, { coins: number; takenBack: number; missing: number }>();
    let debt = 0;
    for (const month of this.months(creator)) {
      for (const one of this.decided)
        if (one.creator === creator && one.in === month && one.what !== 'released') debt += one.coins;
      const reels = Math.min(50, this.published(creator, month));
      const earned =
        reels * 5 +
        Math.trunc(this.paidViews(creator, month) / 10) +
        Math.trunc(this.paidLikes(creator, month) / 10) +
        this.releasedIn(creator, month);
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
        this.releasedIn(creator, earlier) > takenBack ||
        this.vouchers(creator, earlier).length > 0 ||
        (!this.decided.some(
          (one) => one.creator === creator && one.of === earlier && one.in === earlier && one.what === 'paid',
        ) &&
          (this.watchedBy('creator', earlier).get(creator) ?? []).some(
            (one) => one.ofFormerCopy && this.counts(one),
          ))
      );
    });
    const coins = carried.reduce((sum, [, one]) => sum + one.coins, own);
    return { paise: Math.trunc(coins / 5), carried: carried.map(([earlier]) => earlier) };
  }

  /** Returns whether anything was released. */
  release(creator: string, month: string, running: string): boolean {
    const views = this.waiting(creator, month);
    if (views === 0) return false;
    const all = this.views(creator, month);
    const coins = Math.trunc(all / 10) - Math.trunc((all - views) / 10);
    this.decided.push({ creator, of: month, in: running, what: 'released', views, coins });
    return true;
  }

  /** Returns whether anything became void. */
  declareVoid(creator: string, month: string, what: 'waiting' | 'paid', running: string): boolean {
    const of = this.decided.filter((one) => one.creator === creator && one.of === month);
    if (of.some((one) => one.what === what)) return false;
    const released = of.find((one) => one.what === 'released');
    const paid = this.paidViews(creator, month);
    const taken =
      what === 'paid'
        ? { views: paid, coins: Math.trunc(paid / 10), home: month }
        : released
          ? { views: released.views, coins: released.coins, home: released.in }
          : { views: this.waiting(creator, month), coins: 0, home: month };
    if (taken.views === 0) return false;
    const isPaid = this.months(creator).some((one) => one >= taken.home && this.covering(creator, one));
    const { views, coins } = taken;
    this.decided.push({ creator, of: month, in: isPaid ? running : taken.home, what, views, coins });
    return true;
  }
}

const total = (watched: readonly Watched[]) => watched.reduce((sum, { many }) => sum + many, 0);

function previous(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}
