import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { randomOf } from '#demo/random.ts';
import type { Context } from '#server/platform/context.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { watchedFrom } from '#testing/fixtures/watching.ts';
import { PayModel, type Request } from '#testing/models/pay-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany } from '#testing/share.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { openLeases } from '../views/lease.ts';
import { openPresence, type Presence } from '../views/presence.ts';
import { readReports, viewerOfPerson } from '../views/reports.ts';
import { recordWatched } from '../views/watched.ts';
import { auditLedger } from './audit.ts';
import { showHistory } from './earnings.ts';
import { addToMonths } from './months.ts';
import { releaseMonth, voidMonth } from './releases.ts';
import { completeWithdrawal, rejectWithdrawal } from './review.ts';
import { withdraw } from './withdrawals.ts';

/*
 * Whole sites of some months, invented, each with a database of its own, since what an account lets pay depends on all creators. After
 * every step all months agree with an independent model, and at the end the audit names nothing. `SITES=100` runs more of them.
 */
const sites = howMany('SITES', { share: 4, whole: 30 });
const steps = 60;
const minute = 60_000;
const day = 24 * 60 * minute;
const zones = ['Asia/Kolkata', 'UTC'] as const;
const first = '2026-11';
const longAgo = new Date('2026-08-15T12:00:00Z');
const reason = 'Looked at';

const happened = new Map<string, number>();

it.each(Array.from({ length: sites }, (_, seed) => seed))(
  'the months of invented site %i agree with the model after every step',
  { timeout: 300_000 },
  async (seed) => {
    const database = await freshDatabase();
    const db = await openDatabase(database.url, 4);
    try {
      const site = new Site(db, zones[seed % 2] ?? 'UTC', seed);
      await site.live();
      const { differences } = await auditLedger(contextOn(db, { config: site.config }));
      expect(differences).toEqual([]);
      for (const [what, many] of Object.entries(site.tally()))
        happened.set(what, (happened.get(what) ?? 0) + many);
    } finally {
      await db.destroy();
      await database.drop();
    }
  },
);

it.runIf(sites > 1)('what is compared happens in them', () => {
  expect([...happened].filter(([, many]) => many === 0)).toEqual([]);
});

class Site {
  readonly config: Context['config'];
  private model = new PayModel(first, []);
  private readonly random: () => number;
  private readonly said: string[] = [];
  private readonly creators: string[] = [];
  private readonly reels = new Map<string, string[]>();
  private readonly accounts: string[] = [];
  /** Of each account, reel and day. */
  private readonly seen = new Set<string>();
  private readonly photos = new Map<string, string>();
  /** Accounts of nobody in particular, and how many of them liked each photo. */
  private crowdOfLikers: string[] = [];
  private readonly likedBy = new Map<string, number>();
  /** When the last paid seconds of each account end. */
  private readonly watchedUntil = new Map<string, number>();
  /** Views for which there was no time. */
  private refused = 0;
  private strangers = 1;
  private readonly presence: Presence;
  /** Who was signed in on which network on which day, and how many views did not count at first because of it. */
  private readonly athome = new Set<string>();
  private held = 0;
  private now = new Date('2026-11-01T07:00:00Z');
  private readonly db: Kysely<Tables>;

  constructor(db: Kysely<Tables>, timeZone: string, seed: number) {
    this.db = db;
    this.random = randomOf(seed + 500);
    this.config = { ...contextOn(db).config, timeZone };
    this.presence = openPresence({ ...this.context(), clock: () => this.now });
  }

  async live(): Promise<void> {
    await watchedFrom(this.db, first);
    // Some sites have so few creators that an established account needs fewer.
    const creators = 3 + this.below(4);
    for (let made = 0; made < creators; made += 1) {
      const creator = await personIn(this.db, longAgo);
      this.creators.push(creator);
      await payableAt(this.context(), creator);
      const reels: string[] = [];
      for (let place = 0; place < 3; place += 1)
        reels.push(await publishedReel(this.db, creator, longAgo, this.config.timeZone));
      this.reels.set(creator, reels);
      const fileName = await uploadedPhoto(this.db, creator, longAgo);
      const form = { fileName, caption: '', description: '' };
      const { id } = await publishPost({ ...this.context(), clock: () => longAgo }, creator, form);
      this.photos.set(creator, id);
    }
    const { rows } = await sql<{ id: string }>`
      insert into people (id, name, username, username_key, email, email_key, password_hash, created_at)
      select id, 'Somebody', id, id, id || '@people.example', id || '@people.example', '', ${longAgo}
      from (select gen_random_uuid() as id from generate_series(1, 900)) one returning id`.execute(this.db);
    this.crowdOfLikers = rows.map(({ id }) => id);
    for (let made = 0; made < 10; made += 1) this.accounts.push(await personIn(this.db, longAgo));
    const verified = this.accounts.slice(0, 9);
    await this.db.updateTable('payout_destinations').set({ chosen_at: longAgo }).execute();
    await this.db
      .updateTable('people')
      .set({ email_verified_at: longAgo })
      .where('id', 'in', [...verified, ...this.creators])
      .execute();
    this.model = new PayModel(first, verified);
    for (let step = 0; step < steps; step += 1) {
      this.passTime();
      try {
        await this.oneOf(this.acts)();
        await this.check();
      } catch (error) {
        throw new Error(`after ${this.said.join(' · ')}`, { cause: error });
      }
    }
  }

  /** How often something was requested, released, taken back, and refused for want of time or held as the creator's own, and freed of that; and likes that do not pay. */
  tally(): Record<
    'requests' | 'released' | 'takenBack' | 'refused' | 'held' | 'freed' | 'unpaidLikes',
    number
  > {
    const { requests, decided } = this.model;
    const released = decided.filter(({ what }) => what === 'released').length;
    const takenBack = decided.filter(({ what, coins }) => what !== 'released' && coins > 0).length;
    const unpaidLikes = this.creators
      .flatMap((creator) => this.model.months(creator).map((month) => this.model.unpaidLikes(creator, month)))
      .reduce((sum, likes) => sum + likes, 0);
    const { refused, held } = this;
    const freed = held - this.model.heldViews;
    return { requests: requests.length, released, takenBack, refused, held, freed, unpaidLikes };
  }

  private readonly acts = [
    () => this.watch(),
    () => this.watch(),
    () => this.watch(),
    () => this.crowds(),
    () => this.crowds(),
    () => this.atHome(),
    () => this.atHome(),
    () => this.likes(),
    () => this.likes(),
    () => this.publishAll(),
    () => this.publishAll(),
    () => this.publishAll(),
    () => this.release(),
    () => this.release(),
    () => this.release(),
    () => this.declareVoid(),
    () => this.declareVoid(),
    () => this.ask(),
    () => this.ask(),
    () => this.ask(),
    () => this.ask(),
    () => this.decide(),
    () => this.decide(),
  ] as const;

  /** Accounts watch on some days, many of them so often that they are established. */
  private async watch(): Promise<void> {
    // At noon, so that no view is of the next day.
    this.now = new Date(Math.ceil((this.now.getTime() - day / 2) / day) * day + day / 2);
    for (let days = 0; days < 3; days += 1) {
      for (const account of this.accounts) {
        if (this.random() < 0.3) continue;
        const chosen = this.creators.filter(() => this.random() < 0.8);
        const reels = chosen.flatMap((creator) =>
          (this.reels.get(creator) ?? []).slice(this.below(2)).map((reel) => ({ creator, reel })),
        );
        const today = this.dayOf();
        // Some look at several reels at once, and are paid for no more seconds than have passed.
        const [apart, shownFor] = this.random() < 0.3 ? [1000, 5000] : [minute, minute / 2];
        const reports = reels.flatMap(({ creator, reel }, place) =>
          this.reported({ creator, reel, account }, new Date(this.now.getTime() + place * apart), shownFor),
        );
        const counted = await recordWatched(
          this.context(),
          reports.map(({ report }) => report),
        );
        expect(counted).toEqual(
          reports.map(({ creator, reel, report: { issuedAt, at } }, place) => {
            const key = `${account} ${reel} ${today}`;
            if (this.seen.has(key) || reports[place - 1]?.reel === reel) return false;
            const end = Math.max(this.watchedUntil.get(account) ?? 0, issuedAt.getTime()) + 4000;
            if (end > at.getTime()) {
              this.refused += 1;
              return false;
            }
            this.watchedUntil.set(account, end);
            this.seen.add(key);
            this.model.watch({ creator, month: this.month(), day: today, account, many: 1 });
            return true;
          }),
        );
      }
      this.now = new Date(this.now.getTime() + day);
    }
    this.say('watch');
  }

  /** People without a login watch in a network in which their creator and others are signed in, on that day or later in the month. */
  private async atHome(): Promise<void> {
    const networks = [1, 2].map((number) => ({ number, hash: Buffer.alloc(8, number) }));
    const people = [...this.creators, ...this.accounts];
    for (let act = 0; act < 12; act += 1) {
      const network = this.oneOf(networks) ?? { number: 0, hash: Buffer.alloc(8) };
      const [month, today] = [this.month(), this.dayOf()];
      const creator = this.creator();
      const home = `${network.number}`;
      if (this.random() < 0.5) {
        const person = this.random() < 0.5 ? creator : (this.oneOf(people) ?? creator);
        await this.presence.noteNetwork(person, network.hash);
        this.model.appear(person, home, month);
        this.athome.add(`${person} ${home} ${today}`);
        continue;
      }
      const many = 1 + this.below(300);
      const reelId = this.oneOf(this.reels.get(creator) ?? []) ?? '';
      const reports = Array.from({ length: many }, (_, place) => ({
        reelId,
        viewer: Buffer.from(`home ${this.strangers + place}`.padEnd(16)),
        address: network.hash,
        signedIn: false,
        issuedAt: new Date(this.now.getTime() - 5000),
        at: this.now,
        neededMs: 4000,
      }));
      this.strangers += many;
      const isOwn = this.athome.has(`${creator} ${home} ${today}`);
      const before = this.model.views(creator, month);
      this.model.watch({ creator, month, day: today, many, ...(isOwn && { home }) });
      const isCounted = this.model.views(creator, month) > before;
      if (!isCounted) this.held += many;
      expect(await recordWatched(this.context(), reports)).toEqual(reports.map(() => isCounted));
    }
    this.say('at home');
  }

  /** What the server takes of a reel that was shown so long ago and is reported: in time, twice, too early, too late, or too little of it. */
  private reported(what: { creator: string; reel: string; account: string }, at: Date, shownFor: number) {
    const { keyring } = this.context();
    const [leases, secret] = [openLeases(keyring.secret('showings')), keyring.secret('viewers')];
    const issuedAt = new Date(at.getTime() - shownFor);
    const personId = what.account;
    const viewer = viewerOfPerson(secret, personId);
    const showing = { reelId: what.reel, viewer, address: Buffer.alloc(8), personId, browser: undefined };
    const lease = leases.issue({ ...showing, issuedAt, toWatchMs: 5000 });
    const how = this.oneOf(['once', 'once', 'once', 'once', 'twice', 'early', 'late', 'little'] as const);
    const after = { early: 3999, late: 10 * minute + 1 };
    const time = how === 'early' || how === 'late' ? new Date(issuedAt.getTime() + after[how]) : at;
    const watched = { lease, seconds: how === 'little' ? 4.9 : 5 };
    const reports = readReports({ leases, secret }, how === 'twice' ? [watched, watched] : [watched], time);
    const many = { once: 1, twice: 2, early: 0, late: 0, little: 0 }[how];
    expect([how, reports.length]).toEqual([how, many]);
    return reports.map((report) => ({ ...what, report }));
  }

  /** Accounts like photos and take it back, and hundreds of others like some. */
  private async likes(): Promise<void> {
    const month = this.month();
    for (const [creator, photo] of this.photos) {
      for (const account of this.accounts) {
        const dice = this.random();
        if (dice < 0.4) {
          await likePost(this.context(), photo, account);
          this.model.like(photo, { creator, account, month });
        } else if (dice < 0.6) {
          await unlikePost(this.context(), photo, account);
          this.model.unlike(photo, account, month);
        }
      }
      const from = this.likedBy.get(photo) ?? 0;
      const crowd = this.random() < 0.4 ? this.crowdOfLikers.slice(from, from + this.below(400)) : [];
      if (crowd.length === 0) continue;
      await this.db.transaction().execute(async (trx) => {
        await sql`
          insert into post_likes (post_id, person_id, liked_at)
          select ${photo}, id, ${this.now} from unnest(${crowd}::uuid[]) id`.execute(trx);
        await addToMonths(trx, [{ creatorId: creator, month, likes: crowd.length }]);
      });
      for (const account of crowd) this.model.like(photo, { creator, account, month });
      this.likedBy.set(photo, from + crowd.length);
    }
    this.say('likes');
  }

  /** Of some creators, hundreds or thousands of strangers at once. */
  private async crowds(): Promise<void> {
    for (const creator of this.creators) if (this.random() < 0.6) await this.crowd(creator);
  }

  private async crowd(creator: string): Promise<void> {
    const reel = this.oneOf(this.reels.get(creator) ?? []) ?? '';
    const many = 1 + this.below(this.random() < 0.5 ? 900 : 6000);
    const [month, today] = [this.month(), this.dayOf()];
    await this.db.transaction().execute(async (trx) => {
      await sql`
        insert into watched_views (creator_id, day, reel_id, viewer, signed_in, watched_at)
        select ${creator}, ${today}, ${reel}, decode(lpad(to_hex(n), 32, '0'), 'hex'), false, ${this.now}
        from generate_series(${this.strangers}::int, ${this.strangers + many - 1}::int) n`.execute(trx);
      await sql`
        insert into reel_months (reel_id, creator_id, month, verdict, views) values (${reel}, ${creator}, ${month}, 'counted', ${many})
        on conflict (reel_id, month, verdict) do update set views = reel_months.views + excluded.views`.execute(
        trx,
      );
      await addToMonths(trx, [{ creatorId: creator, month, views: many }]);
    });
    this.strangers += many;
    this.model.watch({ creator, month, day: today, many });
    this.say(`${many} strangers`);
  }

  private async publishAll(): Promise<void> {
    for (const creator of this.creators) if (this.random() < 0.6) await this.publish(creator);
  }

  private async publish(creator: string): Promise<void> {
    const many = 30 + this.below(40);
    const at = this.now;
    await this.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('reels')
        .values(
          Array.from({ length: many }, () => ({
            id: newId(at),
            creator_id: creator,
            media_key: newKey(),
            caption: '',
            credit: '',
            categories: [],
            state: 'ready' as const,
            sha256: Buffer.from(newKey()),
            uploaded_at: at,
            published_at: at,
          })),
        )
        .execute();
      await addToMonths(trx, [{ creatorId: creator, month: this.month(), reels: many }]);
    });
    this.model.publish(creator, this.month(), many);
    this.say(`${many} reels`);
  }

  private async release(): Promise<void> {
    const [creatorId, month] = [this.creator(), this.someMonth()];
    const row = await releaseMonth(this.context(), { creatorId, month }, { reason, operatorId: null });
    const isDone = this.isOver(month) && this.model.release(creatorId, month, this.month());
    this.say(`release ${month}: ${isDone}`);
    expect(row !== undefined).toBe(isDone);
  }

  private async declareVoid(): Promise<void> {
    const what = this.oneOf(['waiting', 'waiting', 'paid'] as const);
    const released = this.oneOf(this.model.decided.filter((one) => one.what === 'released'));
    const isOfRelease = released !== undefined && this.random() < 0.5;
    const [creatorId, month] = isOfRelease
      ? [released.creator, released.of]
      : [this.creator(), this.someMonth()];
    const row = await voidMonth(this.context(), { creatorId, month, what }, { reason, operatorId: null });
    const isDone = this.isOver(month) && this.model.declareVoid(creatorId, month, what, this.month());
    this.say(`void ${what} of ${month}: ${isDone}`);
    expect(row !== undefined).toBe(isDone);
  }

  private async ask(): Promise<void> {
    const [creator, month] = [this.creator(), this.someMonth()];
    if (month >= this.month()) return;
    const standing = this.model.covering(creator, month);
    const own = Math.trunc((this.model.worth(creator).get(month)?.coins ?? 0) / 5);
    const { paise, carried } = this.model.payable(creator, month);
    const form = { userId: creator, month, totalRupee: own / 100 };
    const outcome = await withdraw(this.context(), creator, form).catch((error) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    });
    this.say(`ask for ${month}: ${typeof outcome === 'string' ? outcome : outcome.paise}`);
    if (!standing && paise < 100) return expect(outcome).toBe('below_minimum');
    if (typeof outcome === 'string') throw new Error(`refused as ${outcome}`);
    if (standing) return expect(outcome._id).toBe(standing.id);
    expect(outcome).toMatchObject({ paise });
    expect(outcome.carried.map((one) => one.month)).toEqual(carried);
    this.model.requests.push({ id: outcome._id, creator, month, carried, paise, state: 'pending' });
  }

  private async decide(): Promise<void> {
    const request = this.oneOf(this.model.requests.filter(({ state }) => state === 'pending'));
    if (!request) return;
    if (this.random() < 0.5) {
      const waiting = this.oneOf([undefined, 'release', 'void'] as const);
      const months = waiting && { waiting, reason };
      await completeWithdrawal(this.context(), request.id, {
        reference: request.id,
        operatorId: null,
        months,
      });
      request.state = 'completed';
      this.decideMonths(request, waiting);
    } else {
      const waiting = this.oneOf([undefined, 'release', 'void', 'void_paid'] as const);
      const months = waiting && { waiting, reason };
      await rejectWithdrawal(this.context(), request.id, { reason, operatorId: null, months });
      request.state = 'rejected';
      this.decideMonths(request, waiting);
    }
  }

  private decideMonths({ creator, carried, month, state }: Request, waiting: string | undefined): void {
    this.say(`${state} ${month}, ${waiting}`);
    for (const one of [...carried, month].filter((of) => waiting && this.isOver(of))) {
      if (waiting === 'release') this.model.release(creator, one, this.month());
      else this.model.declareVoid(creator, one, 'waiting', this.month());
      if (waiting === 'void_paid') this.model.declareVoid(creator, one, 'paid', this.month());
    }
  }

  private async check(): Promise<void> {
    for (const creator of this.creators) {
      const { data } = await showHistory(this.context(), creator);
      const worth = this.model.worth(creator);
      const shown = data.filter(({ monthKey }) => monthKey >= first).toReversed();
      expect(
        shown.map((one) => [
          one.monthKey,
          one.views,
          one.likes,
          one.totalCoins,
          one.waitingViews,
          one.missingCoins,
        ]),
      ).toEqual(
        [...worth].map(([month, { coins, missing }]) => [
          month,
          this.model.views(creator, month),
          this.model.likes(creator, month),
          coins,
          this.model.waiting(creator, month),
          missing,
        ]),
      );
      const open = shown.filter(({ monthKey }) => !this.model.covering(creator, monthKey));
      expect(open.map(({ monthKey, payablePaise }) => [monthKey, payablePaise])).toEqual(
        open.map(({ monthKey }) => [monthKey, this.model.payable(creator, monthKey).paise]),
      );
    }
  }

  /** Some hours or days, or to the first seconds of the next month. */
  private passTime(): void {
    const dice = this.random();
    if (dice < 0.5) this.now = new Date(this.now.getTime() + this.below(4 * day) + 1);
    else if (dice < 0.6) {
      const next = new Date(Date.UTC(this.now.getUTCFullYear(), this.now.getUTCMonth() + 1, 1));
      const begin = this.config.timeZone === 'UTC' ? next.getTime() : next.getTime() - 5.5 * 60 * minute;
      this.now = new Date(Math.max(this.now.getTime(), begin) + 1000);
    } else this.now = new Date(this.now.getTime() + 2 * minute);
  }

  private context = () =>
    contextOn(this.db, { clock: () => this.now, config: this.config, outbox: { ...noOutbox, isOn: true } });
  private dayOf = (at = this.now) =>
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: this.config.timeZone }).format(at);
  private month = () => this.dayOf().slice(0, 7);
  /** A month is over for operators one hour after its end. */
  private isOver = (month: string) =>
    month < this.dayOf(new Date(this.now.getTime() - 60 * minute)).slice(0, 7);
  private creator = () => this.oneOf(this.creators) ?? '';
  /** Since the first one, up to the running one. */
  private someMonth(): string {
    const known = new Set(this.creators.flatMap((creator) => this.model.months(creator)));
    return this.oneOf([...known]) ?? this.month();
  }
  private say = (what: string) => this.said.push(`${this.now.toISOString()} ${what}`);
  private below = (limit: number) => Math.floor(this.random() * limit);
  private oneOf<const Many extends readonly unknown[]>(many: Many): OneOf<Many> {
    return many[this.below(many.length)] as OneOf<Many>;
  }
}

type OneOf<Many extends readonly unknown[]> = Many extends readonly [unknown, ...unknown[]]
  ? Many[number]
  : Many[number] | undefined;
