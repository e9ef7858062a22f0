import { sql } from 'kysely';
import { deleteAccount } from '#server/features/account-deletion/account-deletion.ts';
import { unlikePost } from '#server/features/posts-and-stories/likes.ts';
import { deleteReel } from '#server/features/reels/deletion.ts';
import { openLeases } from '#server/features/views/lease.ts';
import { newKey } from '#server/platform/ids.ts';
import type { Storage } from '#server/platform/storage.ts';
import { dayMs, hourMs, minuteMs, monthBegin } from './calendar.ts';
import type { Draw } from './habits.ts';
import { insertPeople, insertReels } from './population.ts';
import { between } from './scripts.ts';
import { drawFrom } from './search.ts';
import type { Report, Site, Viewing } from './site.ts';

/** A creator who wants to be paid, what they have, and their habits. */
interface RandomAttacker extends Omit<Habits, 'accounts' | 'browsers'> {
  payee: string;
  /** The browser and the network in which the payee signs in. */
  home: { browser: string; address: string };
  accounts: string[];
  browsers: string[];
  addresses: string[];
  reels: string[];
  photos: string[];
  /** Files that were published, which others publish again. */
  files: string[];
  /** Numbers of its own, since attackers publish and like in parallel. */
  draw: Draw;
}

interface Habits {
  accounts: number;
  browsers: number;
  /** In an hour. */
  showings: number;
  /** The share that is reported in time, and the share of an account's showings that are of other creators. */
  skill: number;
  cover: number;
  publishes: 'nothing' | 'some' | 'more than pays';
}

type Who = Pick<Viewing, 'personId' | 'browser' | 'address'>;

/** Hours of the month in which attackers act; the last one ends in the next month. */
const hoursOfMonth = 7;
const creatorsToCover = 8;
/** Reels of each payee from before the month. */
const reelsEach = 12;
const notInTime = [0, 1000, 3999, 10 * minuteMs + 1, 20 * minuteMs] as const;
const gaps = [0, 1000, 3999, 4000, 5000, 6000, 30_000] as const;

/**
 * Attackers who act at random on one site, each for an own payee: they show and report reels in time or not, replay and forge reports, use
 * many browsers, networks and accounts, also the payee's own, calls of older apps, likes, publications that pay and that do not, deletions.
 */
export class RandomAttackers {
  /** How often each kind of act happened. */
  readonly happened = {
    ...{ showings: 0, reports: 0, repeatedReports: 0, forgedReports: 0, lateReports: 0 },
    ...{ ownShowings: 0, signedInShowings: 0, oldAppShowings: 0, likes: 0, takenBackLikes: 0 },
    ...{ publications: 0, stillOrShort: 0, copies: 0, deletedReels: 0, deletedAccounts: 0 },
  };
  private readonly site: Site;
  private readonly seed: number;
  private readonly draw: Draw;
  private readonly storage: Storage;
  private readonly attackers: RandomAttacker[] = [];
  private covering: string[] = [];
  /** Files that other creators published before. */
  private readonly known = [newKey(), newKey(), newKey()];
  /** Leases of earlier hours, which have expired. */
  private old: Report[] = [];

  constructor(site: Site, seed: number, storage: Storage) {
    [this.site, this.seed, this.storage] = [site, seed, storage];
    this.draw = drawFrom(seed);
  }

  /** Runs the month; returns the payees. */
  async attack(many: number): Promise<string[]> {
    await this.enter(many);
    const days = Array.from({ length: hoursOfMonth - 1 }, () => between(this.draw, 0, 28));
    const begins = days.map((day) => day * dayMs + this.draw(20 * hourMs));
    begins.push(30 * dayMs - 5 * minuteMs);
    let last = 0;
    for (const begin of begins.sort((one, other) => one - other)) {
      // The longest hour takes that long, so that the site's clock moves forward.
      last = Math.max(begin, last + 2 * hourMs);
      await this.act(monthBegin + Math.min(last, begins.at(-1) ?? 0));
    }
    return this.attackers.map(({ payee }) => payee);
  }

  private async enter(many: number): Promise<void> {
    const opened = monthBegin - 60 * dayMs;
    const others = await insertPeople(this.site, creatorsToCover, () => opened);
    this.covering = await insertReels(this.site, others, opened, 3);
    this.site.now = new Date(opened);
    for (const [place, bytes] of this.known.entries()) {
      const creator = others[place] ?? '';
      if (place > 0) await this.site.photo(creator, { bytes });
      else await this.site.reel(creator, { bytes });
    }
    const payees = await insertPeople(this.site, many, () => opened);
    const reels = await insertReels(this.site, payees, opened, reelsEach);
    for (const [place, payee] of payees.entries()) {
      const own = (number: number) => `172.${16 + (place >> 8)}.${place % 256}.${number}`;
      const addresses = Array.from({ length: between(this.draw, 1, 20) }, (_, number) =>
        number % 3 === 2 ? `2001:db8:${place.toString(16)}:${number}::1` : own(number),
      );
      if (this.chance(0.3)) addresses.push('100.64.0.1');
      const { accounts, browsers, ...habits } = this.habitsOf(place);
      this.attackers.push({
        ...{ payee, addresses, photos: [], files: [], ...habits },
        draw: drawFrom(this.seed * 1000 + place),
        home: { browser: `home ${place}`, address: own(250) },
        accounts: await this.accounts(accounts),
        browsers: Array.from({ length: browsers }, (_, number) => `${place} ${number}`),
        reels: reels.slice(place * reelsEach, (place + 1) * reelsEach),
      });
    }
  }

  /** Each site has one that does everything without established accounts, and one with such accounts. */
  private habitsOf(place: number): Habits {
    const most = { browsers: 150, showings: 450, skill: 0.9 };
    if (place === 0) return { ...most, accounts: 60, cover: 0, publishes: 'more than pays' };
    if (place === 1) return { ...most, accounts: 10, cover: 0.6, publishes: 'some' };
    return {
      accounts: this.chance(0.4) ? Math.floor(2 ** this.draw(4)) : 0,
      browsers: Math.ceil(2 ** this.draw(7)),
      showings: Math.ceil(2 ** this.draw(7.3)),
      skill: this.draw(1),
      cover: this.chance(0.6) ? 0 : this.draw(1),
      publishes: this.chance(0.4) ? 'some' : 'nothing',
    };
  }

  /** Accounts of all ages, a part of them with an address that is not verified. */
  private async accounts(many: number): Promise<string[]> {
    if (many === 0) return [];
    const ids = await insertPeople(this.site, many, () => monthBegin + this.draw(85 * dayMs) - 60 * dayMs);
    const unverified = ids.filter(() => this.chance(0.4));
    await sql`update people set email_verified_at = null where id = any(${unverified}::uuid[])`.execute(
      this.site.db,
    );
    for (const id of unverified) this.verified(id, undefined);
    return ids;
  }

  /** Those that exist by now. */
  private created = (accounts: readonly string[]) =>
    accounts.filter((id) => {
      const { joinedAt = 0 } = this.site.acts.accounts.get(id) ?? {};
      return joinedAt <= this.site.now.getTime();
    });

  private verified(id: string, at: number | undefined): void {
    const account = this.site.acts.accounts.get(id);
    if (account) this.site.acts.join(id, { ...account, verifiedAt: at });
  }

  /** All attackers act for an hour. */
  private async act(begin: number): Promise<void> {
    this.site.now = new Date(begin);
    for (let from = 0; from < this.attackers.length; from += 8)
      await Promise.all(this.attackers.slice(from, from + 8).map(async (one) => await this.publish(one)));
    const old = await this.show(begin);
    await this.site.watchInOldApp(old);
    this.site.now = new Date(begin + hourMs);
    for (let from = 0; from < this.attackers.length; from += 8)
      await Promise.all(
        this.attackers.slice(from, from + 8).map(async (one) => {
          await this.like(one);
          await this.change(one);
        }),
      );
  }

  /** Shows reels and reports them. Returns the showings of older apps. */
  private async show(begin: number): Promise<Viewing[]> {
    const all = this.attackers.flatMap((one) => this.viewings(one, begin));
    const [old, viewings] = [
      all.filter(({ reportAt }) => reportAt === undefined),
      all.filter(({ reportAt }) => reportAt !== undefined),
    ];
    const leases = await this.site.show(viewings);
    const reports = [...leases].flatMap(([of, lease]) => this.reports(of, lease));
    const expired = this.old.filter(() => this.chance(0.3));
    this.happened.lateReports += expired.length;
    await this.site.report([...reports, ...expired.map((one) => ({ ...one, at: begin }))]);
    this.old = reports.filter(() => this.chance(0.02));
    this.happened.showings += viewings.length;
    this.happened.reports += reports.length;
    return old;
  }

  private viewings(attacker: RandomAttacker, begin: number): Viewing[] {
    const { accounts, showings, skill, cover, reels } = attacker;
    const viewings: Viewing[] = [];
    const run = (who: Who, count: number, isOldApp = false) => {
      let at = begin + Math.floor(this.draw(10 * minuteMs));
      for (let left = count; left > 0; left -= 1) {
        const isCovering = who.personId !== undefined && this.chance(cover);
        const reel = this.oneOf(isCovering ? this.covering : this.chance(0.02) ? this.anyReels() : reels);
        const waitMs = this.chance(skill) ? 4000 + Math.floor(this.draw(3000)) : this.oneOf(notInTime);
        const reportAt = isOldApp ? undefined : at + waitMs;
        const seconds = this.chance(0.95) ? 5 + this.draw(3) : this.draw(5);
        viewings.push({ ...who, reel, at, reportAt, seconds });
        at += this.chance(skill) ? Math.min(waitMs, minuteMs) + 1000 : this.oneOf(gaps);
      }
    };
    for (const [place, personId] of this.created(accounts).entries()) {
      // Some act on many days, others on few.
      if (this.chance(0.1 + 0.2 * (place % 4))) continue;
      const who = { ...this.somewhere(attacker), personId };
      const isOldApp = this.chance(0.1);
      const many = between(this.draw, 1, 12);
      this.happened[isOldApp ? 'oldAppShowings' : 'signedInShowings'] += many;
      run({ ...who, browser: isOldApp ? undefined : who.browser }, many, isOldApp);
    }
    while (viewings.length < showings) {
      const many = Math.min(between(this.draw, 1, 10), showings);
      const dice = this.draw(1);
      const { payee, home } = attacker;
      // The payee logs in and out, at home and elsewhere.
      if (dice < 0.1) {
        this.happened.ownShowings += many;
        const where = this.chance(0.7) ? home : this.somewhere(attacker);
        run({ ...where, personId: this.chance(0.5) ? payee : undefined }, many);
      } else run({ ...this.somewhere(attacker), personId: undefined }, many);
    }
    return viewings;
  }

  private somewhere({ browsers, addresses, home }: RandomAttacker): Omit<Who, 'personId'> {
    const browser = this.chance(0.02) ? undefined : this.oneOf(browsers);
    return { browser, address: this.chance(0.05) ? home.address : this.oneOf(addresses) };
  }

  /** The report of a showing; some are repeated at other times, some are forged. */
  private reports(of: Viewing, lease: string): Report[] {
    const { reportAt = of.at, seconds } = of;
    const reports: Report[] = [{ of, lease, seconds, at: reportAt }];
    while (this.chance(0.1)) {
      this.happened.repeatedReports += 1;
      reports.push({ of, lease, seconds, at: of.at + Math.floor(this.draw(12 * minuteMs)) });
    }
    if (this.chance(0.03)) {
      this.happened.forgedReports += 1;
      reports.push({ of: undefined, lease: this.forged(of, lease), seconds: 30, at: reportAt + 5000 });
    }
    return reports;
  }

  private forged({ reel, at }: Viewing, lease: string): string {
    const place = Math.floor(this.draw(lease.length));
    // The last character of the text may have bits that mean nothing.
    const other = lease[place] === 'A' ? 'Q' : 'A';
    if (this.chance(0.3)) return lease.slice(0, -4);
    if (this.chance(0.5))
      return `${lease.slice(0, place)}${place === lease.length - 1 ? '' : other}${lease.slice(place + 1)}`;
    return openLeases(Buffer.alloc(32, 'another site')).issue({
      ...{ reelId: reel, viewer: Buffer.alloc(16, between(this.draw, 0, 255)), address: Buffer.alloc(8) },
      ...{ personId: undefined, browser: undefined, issuedAt: new Date(at), toWatchMs: 5000 },
    });
  }

  private async publish(attacker: RandomAttacker): Promise<void> {
    const { payee, publishes, accounts, photos, draw } = attacker;
    const most = publishes === 'more than pays' ? 14 : publishes === 'some' && draw(10) < 1 ? 2 : 0;
    const some = (least: number) => between(draw, Math.min(least, most), most);
    const [reels, stories] = [some(12), some(6)];
    for (let made = 0; made < reels; made += 1) await this.publishReel(attacker);
    for (let made = 0; made < stories; made += 1)
      await this.site.photo(payee, { kind: 'story', bytes: this.file(attacker) });
    // Their accounts need something to like.
    const posts = accounts.length > 0 && photos.length === 0 ? Math.max(1, most) : some(6);
    for (let made = 0; made < posts; made += 1)
      photos.push(await this.site.photo(payee, { bytes: this.file(attacker) }));
    this.happened.publications += reels + stories + posts;
  }

  private async publishReel(attacker: RandomAttacker): Promise<void> {
    const { payee, reels, draw } = attacker;
    const [isShort, still] = [draw(10) < 1, draw(10) < 1];
    if (isShort || still) this.happened.stillOrShort += 1;
    const seconds = isShort ? 0.5 : 20;
    reels.push(await this.site.reel(payee, { bytes: this.file(attacker), seconds, still }));
  }

  /** Usually a new file; some have been published before, by the attacker or by another. */
  private file({ files, draw }: RandomAttacker): string {
    if (draw(20) < 3) {
      this.happened.copies += 1;
      const all = [...files, ...this.known];
      return all[between(draw, 0, all.length - 1)] ?? '';
    }
    const file = newKey();
    files.push(file);
    return file;
  }

  /** Accounts like the payee's photos, and some take it back. Over the month some payees get more likes than pay. */
  private async like({ accounts, photos, publishes, draw }: RandomAttacker): Promise<void> {
    for (const photo of photos.slice(0, publishes === 'more than pays' ? 8 : 2))
      for (const account of this.created(accounts)) {
        if (draw(20) >= 4) continue;
        if (draw(20) < 1) {
          this.happened.takenBackLikes += 1;
          await unlikePost(this.site.context, photo, account);
        } else {
          this.happened.likes += 1;
          await this.site.like(photo, account);
        }
      }
  }

  /** Verifies an address, deletes a reel or an account. */
  private async change({ accounts, reels, payee, draw }: RandomAttacker): Promise<void> {
    const created = this.created(accounts);
    const account = created[Math.floor(draw(created.length))];
    const { context } = this.site;
    const dice = draw(20);
    const isVerified = this.site.acts.accounts.get(account ?? '')?.verifiedAt !== undefined;
    if (account && !isVerified && dice < 4) {
      await this.site.db
        .updateTable('people')
        .set({ email_verified_at: context.clock() })
        .where('id', '=', account)
        .execute();
      this.verified(account, context.clock().getTime());
    } else if (account && dice >= 19) {
      this.happened.deletedAccounts += 1;
      accounts.splice(accounts.indexOf(account), 1);
      await deleteAccount(context, account, account);
      // Deletions after the month change nothing in it.
      if (context.clock().getTime() < monthBegin + 30 * dayMs) this.site.acts.leave(account);
    }
    if (reels.length > reelsEach && draw(5) < 1) {
      const [reel = ''] = reels.splice(between(draw, reelsEach, reels.length - 1), 1);
      this.happened.deletedReels += 1;
      await deleteReel({ ...context, storage: this.storage }, reel, payee);
    }
  }

  private anyReels = () => this.attackers[Math.floor(this.draw(this.attackers.length))]?.reels ?? [];
  private chance = (share: number) => this.draw(1) < share;
  private oneOf<T>(many: readonly T[]): T {
    return many[Math.floor(this.draw(many.length))] as T;
  }
}
