/**
 * A second, independent implementation of the rules of decisions §4, written for clarity and not for speed: a
 * history of facts, and the resulting month of each creator.
 */
export interface Counts {
  reels: number;
  posts: number;
  stories: number;
  views: number;
  likes: number;
}

type Kind = 'reel' | 'post' | 'story';

interface Item {
  kind: Kind;
  creator: string;
  file: string;
  published: number;
  /** The work of which it is a copy. */
  copyOf: Item | undefined;
  deleted?: number;
}

interface View {
  item: Item;
  viewer: string;
  at: number;
  pays: boolean;
}

/** By person and post: the month in which the like counts, if any, and whether the person likes it now. */
interface Like {
  item: Item;
  month: string | undefined;
  isActive: boolean;
}

interface Request {
  creator: string;
  month: string;
  /** Smaller months that are paid with it. */
  carried: string[];
  paise: number;
  state: 'pending' | 'completed' | 'rejected';
}

export class EarningsModel {
  readonly items = new Map<string, Item>();
  readonly requests = new Map<string, Request>();
  /** Coins that an operator released, by `creator month`. */
  readonly released = new Map<string, number>();
  private readonly views: View[] = [];
  private readonly likes = new Map<string, Like>();
  private readonly offset: number;

  /** `offset`: the difference between business time and UTC, in milliseconds; the tested zones have no summer time. */
  constructor(offset: number) {
    this.offset = offset;
  }

  private dayOf = (at: number) => new Date(at + this.offset).toISOString().slice(0, 10);
  monthOf = (at: number) => this.dayOf(at).slice(0, 7);

  publish(id: string, kind: Kind, creator: string, file: string, at: number): void {
    const copyOf = [...this.items.values()].find(
      (one) => one.file === file && !one.copyOf && (one.creator === creator || !this.wasDeletedAtOnce(one)),
    );
    this.items.set(id, { kind, creator, file, published: at, copyOf });
  }

  /** Then it counts against its own creator only. */
  private wasDeletedAtOnce({ published, deleted }: Item): boolean {
    if (deleted === undefined) return false;
    return deleted - published < 86_400_000 && this.monthOf(published) === this.monthOf(deleted);
  }

  delete(id: string, at: number): void {
    const item = this.items.get(id);
    if (!item || item.deleted !== undefined) return;
    item.deleted = at;
    if (item.copyOf || !this.wasDeletedAtOnce(item)) return;
    // The earliest copy by somebody else is the original of the others.
    const copies = [...this.items.values()].filter(
      (one) => one.copyOf === item && one.creator !== item.creator,
    );
    const next = copies.find(({ deleted }) => deleted === undefined);
    if (next) for (const copy of copies) copy.copyOf = copy === next ? undefined : next;
  }

  /** A watched view: once for a viewer and reel on a day. */
  view(reel: string, viewer: string, person: string | undefined, at: number): void {
    const item = this.items.get(reel);
    if (!item) throw new Error('there is no such reel');
    const isRepeated = this.views.some(
      (one) =>
        one.item === item && one.viewer === viewer && one.pays && this.dayOf(one.at) === this.dayOf(at),
    );
    this.views.push({ item, viewer, at, pays: person !== item.creator && !isRepeated });
  }

  like(post: string, person: string, at: number): void {
    const item = this.items.get(post);
    if (!item) throw new Error('there is no such post');
    const like = this.likes.get(`${post} ${person}`) ?? { item, month: undefined, isActive: false };
    if (!like.isActive && like.month === undefined && person !== item.creator) like.month = this.monthOf(at);
    like.isActive = true;
    this.likes.set(`${post} ${person}`, like);
  }

  unlike(post: string, person: string, at: number): void {
    const like = this.likes.get(`${post} ${person}`);
    if (!like?.isActive) return;
    like.isActive = false;
    if (like.month === this.monthOf(at)) like.month = undefined;
  }

  /** A deleted account removes its likes of public posts, and deletes its own content. */
  leave(person: string, at: number): void {
    for (const key of this.likes.keys()) {
      const [post = '', who] = key.split(' ');
      if (who === person && this.items.get(post)?.deleted === undefined) this.unlike(post, person, at);
    }
    for (const [id, { creator }] of this.items) if (creator === person) this.delete(id, at);
  }

  /** Every month of these creators with any count, as `creator month`. */
  months(creators: readonly string[]): Record<string, Counts> {
    const months: Record<string, Counts> = {};
    const add = (creator: string, month: string, figure: keyof Counts) => {
      if (!creators.includes(creator)) return;
      const key = `${creator} ${month}`;
      months[key] ??= { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };
      months[key][figure] += 1;
    };
    const takenAlong = (item: Item, month: string) =>
      item.deleted !== undefined &&
      this.monthOf(item.published) === this.monthOf(item.deleted) &&
      this.monthOf(item.published) === month;
    const figures = { reel: 'reels', post: 'posts', story: 'stories' } as const;
    for (const item of this.items.values()) {
      const month = this.monthOf(item.published);
      if (!item.copyOf && !takenAlong(item, month)) add(item.creator, month, figures[item.kind]);
    }
    for (const { item, at, pays } of this.views)
      if (pays && !item.copyOf && !takenAlong(item, this.monthOf(at)))
        add(item.creator, this.monthOf(at), 'views');
    for (const { item, month } of this.likes.values())
      if (month !== undefined && !item.copyOf && !takenAlong(item, month)) add(item.creator, month, 'likes');
    return months;
  }

  private coins(creator: string, month: string): number {
    const counts = this.months([creator])[`${creator} ${month}`];
    const released = this.released.get(`${creator} ${month}`) ?? 0;
    if (!counts) return released;
    return (
      5 * Math.min(counts.reels, 50) +
      2 * Math.min(counts.posts, 30) +
      Math.min(counts.stories, 30) +
      Math.trunc(Math.min(counts.views, 1000) / 10) +
      Math.trunc(Math.min(counts.likes, 250) / 10) +
      released
    );
  }

  paise(creator: string, month: string): number {
    return Math.trunc(this.coins(creator, month) / 5);
  }

  /** The amount of a request for a month, and the earlier months it includes: below a rupee, not paid yet, and with released coins, since nobody is established here. */
  payable(creator: string, month: string): { paise: number; carried: string[] } {
    const own = this.coins(creator, month);
    if (own === 0) return { paise: 0, carried: [] };
    const carried: string[] = [];
    let coins = own;
    for (const key of [...this.released.keys()].sort()) {
      const [who, earlier = ''] = key.split(' ');
      const small = this.coins(creator, earlier);
      if (who !== creator || earlier >= month || small >= 500) continue;
      if (this.standing(creator, earlier)) continue;
      carried.push(earlier);
      coins += small;
    }
    return { paise: Math.trunc(coins / 5), carried };
  }

  /** The request that pays a month, by itself or together with a later one. */
  standing(creator: string, month: string): [id: string, request: Request] | undefined {
    return [...this.requests].find(
      ([, one]) =>
        one.creator === creator &&
        one.state !== 'rejected' &&
        (one.month === month || one.carried.includes(month)),
    );
  }
}
