import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts';
import { increaseView, reportWatched } from '#contract/reels.ts';
import { randomOf } from '#demo/random.ts';
import type { Context } from '#server/platform/context.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Request as Received, Route } from '#server/platform/route.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import type { Storage } from '#server/platform/storage.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { findOwn, madeReel, personIn, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { setOlderAppsUntil } from '#testing/fixtures/watching.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { PayModel, type Request } from '#testing/models/pay-model.ts';
import { type Reel, type Shown, type Viewer, viewerOf, WatchModel } from '#testing/models/watch-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany, isWhole, seedOr } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { addToMonths, holdMonths } from '../month-counts/months.ts';
import { closeMonths } from '../months/closing.ts';
import { payOfMonths } from '../months/month-worth.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { deleteReel } from '../reels/deletion.ts';
import { browserOf, openLeases } from '../views/lease.ts';
import { rememberBrowsers } from '../views/own-browsers.ts';
import { readReports } from '../views/reports.ts';
import { addressOf, viewerOf as viewerHash } from '../views/viewers.ts';
import { viewsRoutes } from '../views/views.routes.ts';
import { deleteOldWatching, recordShowings } from '../views/views.ts';
import { recordWatched } from '../views/watched.ts';
import { releaseMonth, voidMonth } from '../withdrawals/releases.ts';
import { rejectWithdrawal } from '../withdrawals/review.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { auditLedger } from './audit.ts';
import { showHistory } from './history.ts';

/*
 * Random histories of what creators earn and are paid: a history is one creator's months on a site. Up to forty run in parallel on two
 * sites, each with its own database: a large one and a small one, because what an account lets pay depends on all creators of its site.
 * After every step the months of some creators agree with independent models of
 * watching and of pay, and the audit at the end finds no difference. `PAID_HISTORIES=10000` runs more of them (CONTRIBUTING.md).
 */
const histories = howMany('PAID_HISTORIES', { share: 8, whole: 10_000 });
const atOnce = Math.min(40, histories);
const pairs = Math.ceil(histories / atOnce);
const minute = 60_000;
const day = 24 * 60 * minute;
const zones = ['Asia/Kolkata', 'UTC'] as const;
const first = '2026-11';
const paceUntil = new Date('2027-01-10T00:00:00Z');
const longAgo = new Date('2026-08-15T12:00:00Z');
const reason = 'Looked at';
const seeds = Array.from({ length: pairs }, (_, place) => seedOr(0) * 1000 + place);

describe.concurrent('the months of creators agree with the model after every step', () => {
  it.each(seeds)('on the random sites %i', { timeout: 600_000 }, async (seed) => {
    const few = 3 + (seed % 4);
    const zone = zones[seed % 2] ?? 'UTC';
    const [one, other] = await Promise.all([
      invented(new Site(2 * seed, zone), { creators: atOnce - few }),
      invented(new Site(2 * seed + 1, zone), { creators: few }),
    ]);
    // The first sites of the whole must cover every case that is compared; others may miss some.
    const never = Object.entries(one).filter(([what, times]) => times + (other[what] ?? 0) === 0);
    if (seed === 0 && isWhole) expect(never).toEqual([]);
  });
});

/** Returns how often each case occurred on the site. */
async function invented(site: Site, people: People): Promise<Record<string, number>> {
  const [database, folder] = await Promise.all([
    freshDatabase(),
    mkdtemp(join(tmpdir(), 'jhalak-histories-')),
  ]);
  const db = await openDatabase(database.url, 4);
  try {
    await site.live(db, await openDiskStorage(folder), people);
    const { differences } = await auditLedger(site.context());
    expect(differences).toEqual([]);
    return site.tally();
  } finally {
    await db.destroy();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface People {
  creators: number;
}

/** One watched showing of a reel, and when it is reported: once, twice, too early, too late, or with too few seconds. */
interface Look {
  reel: Reel;
  who: Viewer;
  shownAt: number;
  at: number;
  how: 'once' | 'twice' | 'early' | 'late' | 'little';
}

/** A viewer and their player. */
interface Player {
  who: Viewer;
  isOld: boolean;
  /** What was shown to them, newest last. */
  leases: Lease[];
}

interface Lease {
  shown: Shown;
  text: string;
}

const networks = [1, 2, 3, 4].map((number) => `127.9.0.${number}`);
const browsers = Array.from({ length: 8 }, (_, number) => `browser number ${number}`);
const agent = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

class Site {
  private pay = new PayModel([]);
  private readonly watching: WatchModel;
  private readonly random: () => number;
  private readonly said: string[] = [];
  private readonly creators: string[] = [];
  /** Creators whose accounts were deleted. */
  private readonly gone: string[] = [];
  private readonly reels: Reel[] = [];
  /** Reels that only raise the number of a month's reels; few of them are watched. */
  private readonly others: Reel[] = [];
  private readonly bytes = new Map<Reel, string>();
  /** Deleted in the month of their publication. */
  private readonly deletedYoung = new Set<Reel>();
  private readonly accounts: string[] = [];
  /** Accounts with an older app. */
  private readonly older: string[] = [];
  private readonly photos = new Map<string, string>();
  /** Further accounts, of which the first ones liked each photo; and how many did. */
  private crowdOfLikers: string[] = [];
  private readonly likedBy = new Map<string, number>();
  private strangers = 1;
  private steps = 0;
  /** Leases of all players, which other players replay. */
  private readonly leases: Lease[] = [];
  private readonly touched = new Set<string>();
  private readonly happened = {
    viewsOfOwnWorks: 0,
    viewsAdjusted: 0,
    again: 0,
    forged: 0,
    expired: 0,
    deletedReels: 0,
    deletedAccounts: 0,
    keptAccounts: 0,
  };
  private now = new Date('2026-11-01T07:00:00Z');
  /** The last month that is closed and counted. */
  private closed = '';
  private readonly timeZone: string;
  private readonly seed: number;
  private readonly dayIn: Intl.DateTimeFormat;
  // Set by `live`.
  private db!: Kysely<Tables>;
  private storage!: Storage;
  private routes!: Route[];

  constructor(seed: number, timeZone: string) {
    this.seed = seed;
    this.timeZone = timeZone;
    this.random = randomOf(seed + 500);
    this.dayIn = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });
    this.watching = new WatchModel({
      dayOf: this.dayOf,
      paceUntil: paceUntil.getTime(),
      isClosed: (month) => month <= this.closed,
      count: ({ reel: { creator, id }, day: on, person: account }) => {
        this.pay.watch({ creator, month: on.slice(0, 7), day: on, account, reel: id, many: 1 });
        this.touched.add(creator);
      },
    });
  }

  context = () => {
    const usual = contextOn(this.db);
    const config = { ...usual.config, timeZone: this.timeZone };
    const outbox = { ...noOutbox, isOn: true };
    return contextOn(this.db, { clock: () => this.now, config, outbox });
  };

  async live(db: Kysely<Tables>, storage: Storage, people: People): Promise<void> {
    [this.db, this.storage] = [db, storage];
    const secrets = { viewers: this.secret('viewers'), showings: this.secret('showings') };
    const parts = { secrets, recordBrowser: rememberBrowsers(this.context()) };
    this.routes = viewsRoutes({ ...this.context(), storage } as Context, parts, () => undefined);
    await this.people(people);
    this.steps = Math.max(60, 4 * people.creators);
    const half = this.steps / 2;
    for (let step = 0; step < this.steps; step += 1) {
      this.passTime();
      this.touched.clear();
      try {
        if (step === half && this.seed % 20 === 0) await this.binge();
        else await this.oneOf(this.acts)?.();
        const isAll = step === half || step === this.steps - 1;
        await this.check(isAll ? [...this.creators, ...this.gone] : [...this.touched].slice(0, 2));
      } catch (error) {
        throw new Error(`after ${this.said.slice(-40).join('\n')}`, { cause: error });
      }
    }
    await this.checkTallies();
  }

  private async people({ creators }: People): Promise<void> {
    await setOlderAppsUntil(this.db, paceUntil);
    for (let made = 0; made < creators; made += 1) await this.join(await personIn(this.db, longAgo));
    const { rows } = await sql<{ id: string }>`
      insert into people (id, name, name_key, username, username_key, look_key, email, email_key, password_hash, created_at)
      select id, 'Somebody', 'somebody', id, id, id, id || '@people.example', id || '@people.example', '', ${longAgo}
      from (select gen_random_uuid() as id from generate_series(1, 900)) one returning id`.execute(this.db);
    this.crowdOfLikers = rows.map(({ id }) => id);
    for (let made = 0; made < 16; made += 1) this.accounts.push(await personIn(this.db, longAgo));
    for (let made = 0; made < 3; made += 1) this.older.push(await personIn(this.db, longAgo));
    const verified = [...this.accounts.slice(0, 15), ...this.older, ...this.creators];
    await this.db
      .updateTable('people')
      .set({ email_verified_at: longAgo })
      .where('id', 'in', verified)
      .execute();
    this.pay = new PayModel(verified);
  }

  /** A creator with three reels and a photo, and a destination that is old enough. */
  private async join(creator: string): Promise<void> {
    this.creators.push(creator);
    await payableAt(this.context(), creator);
    await this.db
      .updateTable('payout_destinations')
      .set({ chosen_at: longAgo })
      .where('person_id', '=', creator)
      .execute();
    for (const seconds of [30, 30, 2]) await this.publishOne(creator, { seconds, at: longAgo });
    const fileName = await uploadedPhoto(this.db, creator, longAgo);
    const form = { fileName, caption: '', description: '' };
    const { id } = await publishPost({ ...this.context(), clock: () => longAgo }, creator, form);
    this.photos.set(creator, id);
  }

  /** How often each compared case occurred. */
  tally(): Record<string, number> {
    const { requests, decided } = this.pay;
    const released = decided.filter(({ what }) => what === 'released').length;
    const takenBack = decided.filter(
      ({ what, coins }) => what !== 'released' && what !== 'own' && coins > 0,
    ).length;
    const unpaidLikes = this.creators
      .flatMap((creator) => this.pay.months(creator).map((month) => this.pay.unpaidLikes(creator, month)))
      .reduce((sum, likes) => sum + likes, 0);
    const reasons = Object.fromEntries(
      (['counted', 'own', 'bot', 'copy', 'repeated', 'over_limit', 'too_late'] as const).map((what) => [
        what,
        [...this.watching.tallies.values()].reduce((sum, of) => sum + (of.get(what) ?? 0), 0),
      ]),
    );
    const { byPace, beyondDay } = this.watching;
    const watched = { byPace, beyondDay, ...reasons };
    return { requests: requests.length, released, takenBack, unpaidLikes, ...watched, ...this.happened };
  }

  private readonly acts = [
    ...times(3, () => this.watch()),
    ...times(3, () => this.play()),
    ...times(3, () => this.crowds()),
    () => this.tooLate(),
    () => this.likes(),
    ...times(3, () => this.publishMany()),
    ...times(2, () => this.publishSome()),
    () => this.findOwn(),
    ...times(2, () => this.remove()),
    ...times(2, () => this.leave()),
    () => this.night(),
    ...times(4, () => this.release()),
    ...times(3, () => this.declareVoid()),
    ...times(3, () => this.close()),
    ...times(12, () => this.ask()),
    ...times(4, () => this.decide()),
  ];

  /** Accounts watch on some days, many of them often enough to be established. */
  private async watch(): Promise<void> {
    // At noon, so that no view falls on the next day.
    this.now = new Date(Math.ceil((this.now.getTime() - day / 2) / day) * day + day / 2);
    // On a large site nobody watches all creators, and most accounts watch the same ones.
    const share = Math.min(0.8, 4 / this.creators.length);
    const isChosen = (creator: string) => this.random() < (this.isPopular(creator) ? 2 * share + 0.2 : share);
    for (let days = 0; days < 3; days += 1) {
      const looks = this.accounts.flatMap((account): Look[] => {
        if (this.random() < 0.3) return [];
        const chosen = new Set(this.creators.filter(isChosen));
        const reels = this.reels.filter((reel) => chosen.has(reel.creator) && this.random() < 0.7);
        // Some watch several reels at the same time, and are paid for no more seconds than passed.
        const [apart, shownFor] = this.random() < 0.3 ? [1000, 5000] : [minute, minute / 2];
        return reels.map((reel, place) => {
          const at = this.now.getTime() + place * apart;
          const how = this.oneOf([
            'once',
            'once',
            'once',
            'once',
            'twice',
            'early',
            'late',
            'little',
          ] as const);
          return { reel, who: asAccount(account), shownAt: at - shownFor, at, how };
        });
      });
      await this.look(looks);
      this.now = new Date(this.now.getTime() + day);
    }
    this.say('watch');
  }

  /** The months that ended a quarter of an hour ago are closed and counted. */
  private async close(): Promise<void> {
    const ended = previous(this.dayOf(new Date(this.now.getTime() - 15 * minute)).slice(0, 7));
    // A site looks every minute, and so also closes months in which nothing happened.
    const missed: string[] = [];
    for (let month = ended; month > (this.closed || this.dayOf(longAgo).slice(0, 7)); month = previous(month))
      missed.push(month);
    await this.db.transaction().execute(async (trx) => void (await holdMonths(trx, missed)));
    const counted = await closeMonths(this.context());
    this.say(`closed ${counted}`);
    for (const month of counted) this.pay.close(month);
    expect(counted.every((month) => month > this.closed && month <= ended)).toBe(true);
    this.closed = ended > this.closed ? ended : this.closed;
    for (const creator of [...this.creators, ...this.gone].slice(0, 3)) this.touched.add(creator);
  }

  /** A showing of the last seconds of a month is reported after the month was closed. */
  private async tooLate(): Promise<void> {
    const month = this.month();
    while (this.month() === month) this.now = new Date(this.now.getTime() + 60 * minute);
    const end = this.endOf(month);
    this.now = new Date(end + 15 * minute);
    await this.close();
    expect(this.closed).toBe(month);
    const reel = this.someReel(undefined);
    const who = asAccount(this.accounts[0] ?? '');
    await this.look([{ reel, who, shownAt: end - 3000, at: end + 2000, how: 'once' }]);
    this.say('too late');
  }

  private endOf(month: string): number {
    const [year = 0, number = 0] = month.split('-').map(Number);
    return Date.UTC(year, number, 1) - (this.timeZone === 'UTC' ? 0 : 5.5 * 60 * minute);
  }

  /** An account watches all day, more than the daily limit. */
  private async binge(): Promise<void> {
    while (this.others.filter(({ isGone }) => !isGone).length < 1010) await this.publishMany();
    this.now = new Date(Math.ceil((this.now.getTime() - day / 2) / day) * day + day / 2);
    const reels = this.others.filter(({ isGone }) => !isGone).slice(0, 1010);
    await this.look(
      reels.map((reel, place): Look => {
        const at = this.now.getTime() + place * 5000;
        return { reel, who: asAccount(this.accounts[0] ?? ''), shownAt: at - 5000, at, how: 'once' };
      }),
    );
    this.now = new Date(this.now.getTime() + day);
    this.say('binge');
  }

  /** Shows and reports many reels, each in one batch like the recorder. */
  private async look(looks: readonly Look[]): Promise<void> {
    const secret = this.secret('viewers');
    const leases = openLeases(this.secret('showings'));
    const showings = looks.map(({ reel, who, shownAt }) => {
      const { person: personId, browser, network, isBot } = who;
      const viewer = viewerHash(secret, { personId, address: network, userAgent: browser ?? who.agent });
      const address = addressOf(secret, network);
      return { reelId: reel.id, viewer, personId, bot: isBot, at: new Date(shownAt), address };
    });
    await recordShowings(this.context(), showings);
    const expected: boolean[] = [];
    const reports = looks.flatMap(({ reel, who, shownAt, at, how }, place) => {
      const shown = this.watching.show(reel, who, shownAt);
      const showing = showings[place];
      if (!shown || !showing) return [];
      const required = Math.min(5, 0.9 * reel.seconds);
      const lease = leases.issue({
        ...showing,
        browser: who.browser === undefined ? undefined : browserOf(this.secret('showings'), who.browser),
        issuedAt: showing.at,
        toWatchMs: required * 1000,
      });
      const after = { early: 0.8 * required * 1000 - 1, late: 10 * minute + 1 };
      const time = how === 'early' || how === 'late' ? shownAt + after[how] : at;
      const watched = { lease, seconds: how === 'little' ? required - 0.1 : required };
      const all = how === 'twice' ? [watched, watched] : [watched];
      expected.push(
        ...this.watching.report(
          all.map(({ seconds }) => ({ shown, seconds })),
          time,
          true,
        ),
      );
      return readReports({ leases, secret }, all, new Date(time));
    });
    expect(await recordWatched(this.context(), reports)).toEqual(expected);
  }

  /**
   * People, visitors and bots play reels in parallel, on a few networks and browsers that creators also use. They report in their next call
   * or when they leave, in time or not. Leases are replayed, also by others, and forged; older apps report nothing.
   */
  private async play(): Promise<void> {
    const players = this.players();
    for (let round = 0; round < 5; round += 1) {
      this.now = new Date(
        this.now.getTime() + this.oneOf([1000, 3999, 4000, 5000, 6000, 30_000, 10 * minute] as const),
      );
      // A browser is known as a creator's before views from it are reported.
      const areKnown = (player: Player) =>
        player.who.person !== undefined && player.who.browser !== undefined;
      const showing = players.filter(() => this.random() < 0.8);
      await this.shown(showing.filter(areKnown));
      await this.shown(showing.filter((player) => !areKnown(player)));
      const leaving = players.filter((player) => !player.isOld && this.random() < 0.4);
      await Promise.all(leaving.map(async (player) => await this.report(player.leases.slice(-2))));
      if (this.random() < 0.7) await this.reportAgain();
    }
    this.say(`play: ${players.length}`);
  }

  private players(): Player[] {
    const players = new Map<string, Player>();
    for (let made = 0; made < 10; made += 1) {
      const isOld = this.random() < 0.2;
      const person = isOld
        ? this.oneOf(this.older)
        : this.oneOf([undefined, this.oneOf(this.accounts), this.creator(), undefined] as const);
      const isBot = this.random() < 0.1;
      const browser = isOld || this.random() < 0.2 ? undefined : this.oneOf(browsers);
      const who: Viewer = {
        person,
        browser,
        network: this.oneOf(networks) ?? '',
        agent: isBot ? bot : agent,
        isBot,
      };
      players.set(viewerOf(who), { who, isOld: person !== undefined && isOld, leases: [] });
    }
    return [...players.values()];
  }

  /** Shows a reel to each of these players; some report the previous one in the same call. */
  private async shown(players: readonly Player[]): Promise<void> {
    const at = this.now.getTime();
    const calls = players.map(({ who, isOld, leases }) => {
      const reel = this.someReel(who.person);
      const before = who.person === undefined && this.random() < 0.6 ? leases.slice(-1) : [];
      const watched = before.map(({ text, shown }) => ({ lease: text, seconds: requiredOf(shown.reel) }));
      return { who, isOld, leases, reel, before, watched };
    });
    const answers = await Promise.all(
      calls.map(async ({ who, isOld, reel, watched }) => {
        const body = isOld ? {} : { ...(who.browser !== undefined && { viewer: who.browser }), watched };
        return await this.call(increaseView, { ...from(who), params: { id: reel.id }, body }).catch(
          (error: unknown) => {
            if (error instanceof Refusal && error.code === 'not_found') return undefined;
            throw error;
          },
        );
      }),
    );
    for (const [place, { who, isOld, leases, reel, before }] of calls.entries()) {
      const answer = answers[place];
      expect([reel.id, answer !== undefined]).toEqual([reel.id, !reel.isGone]);
      this.watching.report(
        before.map(({ shown }) => ({ shown, seconds: requiredOf(shown.reel) })),
        at,
      );
      if (isOld && who.person !== undefined) {
        this.watching.showInOldApp(reel, { ...who, person: who.person }, at);
        continue;
      }
      const shown = this.watching.show(reel, who, at);
      expect([reel.id, typeof answer?.lease === 'string']).toEqual([reel.id, shown !== undefined]);
      if (!shown || typeof answer?.lease !== 'string') continue;
      leases.push({ shown, text: answer.lease });
      this.leases.push({ shown, text: answer.lease });
    }
  }

  private async report(leases: readonly Lease[]): Promise<void> {
    const at = this.now.getTime();
    const seconds = leases.map(({ shown }) => requiredOf(shown.reel) - (this.random() < 0.1 ? 0.1 : 0));
    const watched = leases.map(({ text }, place) => ({ lease: text, seconds: seconds[place] ?? 0 }));
    const counted = this.watching.report(
      leases.map(({ shown }, place) => ({ shown, seconds: seconds[place] ?? 0 })),
      at,
    );
    const answer = await this.call(reportWatched, { ...from(anybody), params: {}, body: { watched } });
    expect(answer.counted).toBe(counted.filter(Boolean).length);
  }

  /** Reports leases of other viewers, some for the second time, and forged ones. */
  private async reportAgain(): Promise<void> {
    const at = this.now.getTime();
    const some = this.leases.slice(-20).filter(() => this.random() < 0.2);
    const isExpired = ({ shown }: Lease) => at - shown.at > 10 * minute;
    this.happened.again += some.length;
    this.happened.expired += some.filter(isExpired).length;
    const forged = some.slice(0, 1).map(({ text, shown }) => {
      const place = this.below(text.length);
      const other = text[place] === 'A' ? 'B' : 'A';
      return this.oneOf([
        // The reel, the viewer, the time or the signature.
        `${text.slice(0, place)}${other}${text.slice(place + 1)}`,
        text.slice(0, -4),
        openLeases(Buffer.alloc(32, 'another site')).issue({
          ...{ reelId: shown.reel.id, viewer: Buffer.alloc(16, this.below(200)), address: Buffer.alloc(8) },
          ...{ personId: undefined, browser: undefined, issuedAt: new Date(at - 5000), toWatchMs: 5000 },
        }),
      ] as const);
    });
    this.happened.forged += forged.length;
    const watched = [
      ...some.map(({ text, shown }) => ({ lease: text, seconds: requiredOf(shown.reel) })),
      ...forged.map((lease) => ({ lease, seconds: 30 })),
    ];
    const counted = this.watching.report(
      some.map(({ shown }) => ({ shown, seconds: requiredOf(shown.reel) })),
      at,
    );
    const answer = await this.call(reportWatched, { ...from(anybody), params: {}, body: { watched } });
    expect(answer.counted).toBe(counted.filter(Boolean).length);
  }

  private async call<E extends Endpoint>(endpoint: E, request: object): Promise<AnswerOf<E>> {
    const route = this.routes.find((one) => one.endpoint === endpoint);
    if (!route) throw new Error(`there is no ${endpoint.path}`);
    return (await route.handle(request as Received<Endpoint>)).answer as AnswerOf<E>;
  }

  /** Usually one of a few reels, sometimes the person's own, a copy, or a deleted one. */
  private someReel(person: string | undefined): Reel {
    const dice = this.random();
    const own = this.reels.filter(({ creator }) => creator === person);
    const gone = this.reels.filter(({ isGone }) => isGone);
    const copies = this.reels.filter(({ isCopy, isGone }) => isCopy && !isGone);
    const reel = this.oneOf(
      dice < 0.1 ? own : dice < 0.15 ? gone : dice < 0.3 ? copies : this.reels.slice(0, 12),
    );
    const any = reel ?? this.oneOf(this.reels);
    if (!any) throw new Error('there are no reels');
    return any;
  }

  /** Accounts like photos and undo it; hundreds of further accounts like some. */
  private async likes(): Promise<void> {
    const month = this.month();
    const share = Math.min(1, 5 / this.photos.size);
    for (const [creator, photo] of this.photos) {
      if (this.random() >= share) continue;
      this.touched.add(creator);
      for (const account of this.accounts) {
        const dice = this.random();
        if (dice < 0.4) {
          await likePost(this.context(), photo, account);
          this.pay.like(photo, { creator, account, month });
        } else if (dice < 0.6) {
          await unlikePost(this.context(), photo, account);
          this.pay.unlike(photo, account, month);
        }
      }
      const from = this.likedBy.get(photo) ?? 0;
      const crowd = this.random() < 0.4 ? this.crowdOfLikers.slice(from, from + this.below(400)) : [];
      if (crowd.length === 0) continue;
      await this.db.transaction().execute(async (trx) => {
        await sql`
          insert into post_likes (post_id, person_id, liked_at, creator_id)
          select ${photo}, id, ${this.now}, ${creator} from unnest(${crowd}::uuid[]) id`.execute(trx);
        await addToMonths(trx, [{ creatorId: creator, month, likes: crowd.length }]);
      });
      for (const account of crowd) this.pay.like(photo, { creator, account, month });
      this.likedBy.set(photo, from + crowd.length);
    }
    this.say('likes');
  }

  /** Popular creators get hundreds or thousands of viewers without a login at once. */
  private async crowds(): Promise<void> {
    // So that showing and report are in the same month.
    this.now = new Date(this.now.getTime() + 10_000);
    for (const creator of this.creators.filter(this.isPopular))
      if (this.random() < 0.6) await this.crowd(creator);
  }

  private async crowd(creator: string): Promise<void> {
    const reel = this.oneOf(
      this.reels.filter((one) => one.creator === creator && !one.isGone && !one.isCopy),
    );
    if (!reel) return;
    const many = 1 + this.below(this.random() < 0.5 ? 900 : 9000);
    const [month, today] = [this.month(), this.dayOf()];
    await this.db.transaction().execute(async (trx) => {
      await sql`
        insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
        select ${creator}, ${today}, ${reel.id}, decode(lpad(to_hex(n), 32, '0'), 'hex'), false, '',
          ${this.now}::timestamptz - interval '5 seconds', ${this.now}, 'counted'
        from generate_series(${this.strangers}::int, ${this.strangers + many - 1}::int) n`.execute(trx);
      await sql`
        insert into reel_days (reel_id, creator_id, day, verdict, views)
        select ${reel.id}, ${creator}, ${today}, verdict, ${many} from (values ('shown'), ('counted')) each (verdict)
        on conflict on constraint reel_days_pkey do update set views = reel_days.views + excluded.views`.execute(
        trx,
      );
      await addToMonths(trx, [{ creatorId: creator, month, views: many }]);
    });
    this.strangers += many;
    this.watching.crowd(reel, today, many);
    this.pay.watch({ creator, month, day: today, reel: reel.id, many });
    this.touched.add(creator);
    this.say(`${many} strangers`);
  }

  private async publishMany(): Promise<void> {
    for (const creator of this.creators.filter(this.isPopular))
      if (this.random() < 0.7) await this.publishAll(creator);
  }

  private async publishAll(creator: string): Promise<void> {
    const [at, month] = [this.now, this.month()];
    const reels = Array.from(
      { length: 30 + this.below(40) },
      (): Reel => ({ id: newId(at), creator, seconds: 30, month, isCopy: false, isGone: false }),
    );
    await this.db.transaction().execute(async (trx) => {
      await changeWorks(trx, (trx) =>
        trx
          .insertInto('reels')
          .values(
            reels.map(({ id, seconds }) => ({
              id,
              creator_id: creator,
              media_key: newKey(),
              caption: '',
              credit: '',
              categories: [],
              state: 'ready' as const,
              seconds,
              sha256: Buffer.from(newKey()),
              uploaded_at: at,
              published_at: at,
            })),
          )
          .execute(),
      );
      await addToMonths(trx, [{ creatorId: creator, month, reels: reels.length }]);
    });
    this.others.push(...reels);
    this.pay.publish(creator, month, reels.length);
    this.touched.add(creator);
    this.say(`${reels.length} reels`);
  }

  /** Some creators publish a reel that is watched: long or short, their own work or a copy. */
  private async publishSome(): Promise<void> {
    for (let made = 0; made < 3; made += 1) {
      // Others may publish again what was deleted at once (`states.test.ts`).
      const known = this.reels.filter((reel) => !this.deletedYoung.has(reel));
      const of = this.random() < 0.5 ? this.oneOf(known) : undefined;
      await this.publishOne(this.creator(), { seconds: this.oneOf([30, 2, 0.5] as const), at: this.now, of });
    }
    this.say('publish');
  }

  private async publishOne(
    creator: string,
    { seconds, at, of }: { seconds: number; at: Date; of?: Reel | undefined },
  ): Promise<void> {
    const bytes = (of && this.bytes.get(of)) ?? newKey();
    const id = await madeReel(contextAt(this.db, at, this.timeZone), creator, { bytes, seconds });
    const month = this.dayOf(at).slice(0, 7);
    const reel = { id, creator, seconds, month, isCopy: of !== undefined, isGone: false };
    this.bytes.set(reel, bytes);
    // Among the reels that are watched often.
    this.reels.splice(this.below(12), 0, reel);
    if (!this.isPaid(reel) || at === longAgo) return;
    this.pay.publish(creator, month, 1);
    this.touched.add(creator);
  }

  /** A person finds that a copy is none. */
  private async findOwn(): Promise<void> {
    const reel = this.oneOf(this.reels.filter(({ isCopy, isGone }) => isCopy && !isGone));
    if (!reel) return;
    await findOwn(this.context(), reel.id);
    const { id, creator } = reel;
    const watched = this.watching.findOwn(reel);
    for (const month of new Set([reel.month, ...watched.keys()])) {
      const reels = month === reel.month && this.isPaid(reel) ? 1 : 0;
      const views = watched.get(month) ?? 0;
      this.happened[month <= this.closed ? 'viewsAdjusted' : 'viewsOfOwnWorks'] += views;
      if (month <= this.closed) this.pay.findOwn(creator, month, { views, reels }, this.month());
      else {
        this.pay.publish(creator, month, reels);
        if (views > 0) this.pay.watch({ creator, month, day: `${month}-01`, reel: id, many: views });
      }
    }
    this.touched.add(creator);
    this.say(`own work, views: ${[...watched].join(' ')}`);
  }

  private isPaid = ({ isCopy, seconds }: Reel) => !isCopy && seconds >= 1;

  /** Deletes reels, most of them in the month of their publication. */
  private async remove(): Promise<void> {
    const month = this.month();
    for (let done = 0; done < 3; done += 1) {
      const there = this.reels.filter((reel) => !reel.isGone && !this.isYoungWithCopies(reel));
      const young = there.filter((reel) => reel.month === month);
      const reel = this.oneOf(this.random() < 0.8 ? young : there);
      if (!reel) continue;
      await deleteReel({ ...this.context(), storage: this.storage }, reel.id, reel.creator);
      this.undo(reel);
      if (reel.month === month && this.isPaid(reel)) this.pay.publish(reel.creator, month, -1);
      this.happened.deletedReels += 1;
      this.touched.add(reel.creator);
    }
    this.say('remove');
  }

  private undo(reel: Reel): void {
    if (reel.month === this.month() && !reel.isGone) {
      this.pay.undo(reel.id, reel.month);
      this.deletedYoung.add(reel);
    }
    reel.isGone = true;
  }

  /** If such a reel is deleted at once, one of its copies becomes an original (`states.test.ts`). */
  private isYoungWithCopies = (reel: Reel) =>
    reel.month === this.month() &&
    this.reels.some((other) => other !== reel && this.bytes.get(other) === this.bytes.get(reel));

  /** Deletes an account, which is refused while a withdrawal is pending. */
  private async leave(): Promise<void> {
    const isCreator = this.random() < 0.5;
    const among = isCreator ? this.creators : this.accounts;
    const pending = this.pay.requests.filter(({ state }) => state === 'pending');
    const asking = pending.map(({ creator }) => creator);
    const person = (isCreator && this.random() < 0.7 && this.oneOf(asking)) || this.oneOf(among);
    if (!person || among.length < (isCreator ? 4 : 8)) return;
    if (this.reels.some((reel) => reel.creator === person && !reel.isGone && this.isYoungWithCopies(reel)))
      return;
    const leaving = deleteAccount(this.context(), person, person);
    const waits = asking.includes(person);
    this.say(`${waits ? 'would leave' : 'leave'}: ${person}`);
    if (waits) {
      this.happened.keptAccounts += 1;
      return await expect(leaving).rejects.toMatchObject({ code: 'withdrawal_pending' });
    }
    await leaving;
    const month = this.month();
    among.splice(among.indexOf(person), 1);
    this.watching.forget(person);
    this.photos.delete(person);
    this.pay.leave(person, month, this.photos.values());
    this.happened.deletedAccounts += 1;
    if (!isCreator) return;
    this.gone.push(person);
    this.touched.add(person);
    for (const reel of [...this.reels, ...this.others]) if (reel.creator === person) this.undo(reel);
    this.pay.publish(person, month, -this.pay.published(person, month));
  }

  /** Deletes what is stored for a day or a month only, which changes no result. */
  private async night(): Promise<void> {
    await deleteOldWatching(this.context());
    this.say('night');
  }

  private async release(): Promise<void> {
    const { creator: creatorId, month } = this.waiting();
    const row = await releaseMonth(this.context(), { creatorId, month }, { reason, operatorId: null });
    const isDone = month <= this.closed && this.pay.release(creatorId, month, this.month());
    this.touched.add(creatorId);
    this.say(`release ${month}: ${isDone}`);
    expect(row !== undefined).toBe(isDone);
  }

  private async declareVoid(): Promise<void> {
    const what = this.oneOf(['waiting', 'waiting', 'paid'] as const);
    const released = this.oneOf(
      this.pay.decided.filter((one) => one.what === 'released' && this.creators.includes(one.creator)),
    );
    const isOfRelease = released !== undefined && this.random() < 0.5;
    const { creator: creatorId, month } = isOfRelease
      ? { creator: released.creator, month: released.of }
      : this.waiting();
    this.touched.add(creatorId);
    const row = await voidMonth(this.context(), { creatorId, month, what }, { reason, operatorId: null });
    const isDone = month <= this.closed && this.pay.declareVoid(creatorId, month, what, this.month());
    this.say(`void ${what} of ${month}: ${isDone}`);
    expect(row !== undefined).toBe(isDone);
  }

  private async ask(): Promise<void> {
    const { creator, month } = this.askable();
    if (month >= this.month()) return;
    this.touched.add(creator);
    const standing = this.pay.covering(creator, month);
    const own = Math.trunc((this.pay.worth(creator).get(month)?.coins ?? 0) / 5);
    const { paise, carried } = this.pay.payable(creator, month);
    const form = { userId: creator, month, totalRupee: own / 100 };
    const outcome = await withdraw(this.context(), creator, form).catch((error) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    });
    this.say(`ask for ${month}: ${typeof outcome === 'string' ? outcome : outcome.paise}`);
    if (!standing && month > this.closed) return expect(outcome).toBe('month_not_counted');
    if (!standing && paise < 100) return expect(outcome).toBe('below_minimum');
    if (typeof outcome === 'string') throw new Error(`refused as ${outcome}`);
    if (standing) return expect(outcome._id).toBe(standing.id);
    expect(outcome).toMatchObject({ paise });
    expect(outcome.carried.map((one) => one.month)).toEqual(carried);
    this.pay.requests.push({ id: outcome._id, creator, month, carried, paise, state: 'pending' });
  }

  /** Usually a month that can be requested. */
  private askable = () =>
    this.someMonthOf(
      (creator, month) =>
        month <= this.closed &&
        !this.pay.covering(creator, month) &&
        this.pay.payable(creator, month).paise >= 100,
    );

  /** Usually a month with waiting views. */
  private waiting = () =>
    this.someMonthOf((creator, month) => month <= this.closed && this.pay.waiting(creator, month) > 0);

  private someMonthOf(isWanted: (creator: string, month: string) => boolean) {
    const all = this.creators.flatMap((creator) =>
      this.pay.months(creator).map((month) => ({ creator, month })),
    );
    const wanted = this.random() < 0.7 ? all.filter(({ creator, month }) => isWanted(creator, month)) : all;
    return this.oneOf(wanted) ?? { creator: this.creator(), month: this.month() };
  }

  private async decide(): Promise<void> {
    const request = this.oneOf(this.pay.requests.filter(({ state }) => state === 'pending'));
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
    this.touched.add(creator);
    if (!waiting) return;
    for (const one of [...carried, month]) {
      if (waiting === 'release') this.pay.release(creator, one, this.month());
      else this.pay.declareVoid(creator, one, 'waiting', this.month());
      if (waiting === 'void_paid') this.pay.declareVoid(creator, one, 'paid', this.month());
    }
  }

  /** Compares what creators read of their months, and the stored months of deleted ones. */
  private async check(creators: readonly string[]): Promise<void> {
    await Promise.all(
      creators.map(async (creator) => {
        const isGone = this.gone.includes(creator);
        const [{ data }, pays] = await Promise.all([
          isGone ? { data: [] } : showHistory(this.context(), creator),
          isGone ? payOfMonths(this.context(), creator) : [],
        ]);
        const shown = [
          ...data.map((one) => ({
            ...one,
            month: one.monthKey,
            coins: one.totalCoins,
            missing: one.missingCoins,
          })),
          ...pays.map((one) => ({ ...one, ...one.counts })),
        ];
        expect(
          shown
            .filter(({ month }) => month >= first)
            .map((one) => [one.month, one.views, one.likes, one.coins, one.waitingViews, one.missing])
            .toReversed(),
        ).toEqual(
          [...this.pay.worth(creator)].map(([month, { coins, missing }]) => [
            month,
            this.pay.views(creator, month),
            this.pay.likes(creator, month),
            coins,
            this.pay.waiting(creator, month),
            missing,
          ]),
        );
        const open = data.filter(
          ({ monthKey }) => monthKey >= first && !this.pay.covering(creator, monthKey),
        );
        expect(open.map(({ monthKey, payablePaise }) => [monthKey, payablePaise])).toEqual(
          open.map(({ monthKey }) => [monthKey, this.pay.payable(creator, monthKey).paise]),
        );
      }),
    );
  }

  /** For each reel and month: its showings, its counted views, and the others by reason. */
  private async checkTallies(): Promise<void> {
    const { rows } = await sql<{ reel_id: string; month: string; verdict: string; views: number }>`
      select reel_id, to_char(day, 'YYYY-MM') as month, verdict, sum(views)::int as views
      from reel_days group by 1, 2, 3 having sum(views) > 0`.execute(this.db);
    const stored = Map.groupBy(rows, (row) => `${row.reel_id} ${row.month}`);
    for (const key of new Set([...stored.keys(), ...this.watching.tallies.keys()])) {
      const found = Object.fromEntries((stored.get(key) ?? []).map(({ verdict, views }) => [verdict, views]));
      const expected = [...(this.watching.tallies.get(key) ?? [])].filter(([, views]) => views > 0);
      expect([key, found]).toEqual([key, Object.fromEntries(expected)]);
    }
  }

  /** Advances time by minutes or days, or to around the end of the month. */
  private passTime(): void {
    const dice = this.random();
    if (dice < 18 / this.steps) this.now = new Date(this.now.getTime() + this.below(4 * day) + 1);
    else if (dice < 23 / this.steps) {
      const next = new Date(Date.UTC(this.now.getUTCFullYear(), this.now.getUTCMonth() + 1, 1));
      const begin = this.timeZone === 'UTC' ? next.getTime() : next.getTime() - 5.5 * 60 * minute;
      this.now = new Date(Math.max(this.now.getTime(), begin + this.oneOf([-3000, 1000] as const)));
    } else this.now = new Date(this.now.getTime() + 2 * minute);
  }

  private secret = (name: 'viewers' | 'showings') => this.context().keyring.secret(name);
  private dayOf = (at: Date | number = this.now) => this.dayIn.format(at);
  private month = () => this.dayOf().slice(0, 7);
  /** On a large site a few creators have most of the views. */
  private isPopular = (creator: string) => this.creators.indexOf(creator) < 10;
  private creator = () => this.oneOf(this.creators) ?? '';
  private say = (what: string) => this.said.push(`${this.now.toISOString()} ${what}`);
  private below = (limit: number) => Math.floor(this.random() * limit);
  private oneOf<const Many extends readonly unknown[]>(many: Many): OneOf<Many> {
    return many[this.below(many.length)] as OneOf<Many>;
  }
}

type OneOf<Many extends readonly unknown[]> = Many extends readonly [unknown, ...unknown[]]
  ? Many[number]
  : Many[number] | undefined;

function previous(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

const times = <T>(many: number, one: T): T[] => Array.from({ length: many }, () => one);

const asAccount = (person: string): Viewer => ({ person, network: '127.8.0.1', agent, isBot: false });
const anybody: Viewer = { network: '127.7.0.1', agent, isBot: false };

/** What the server knows of the client. */
const from = ({ person, network, agent: userAgent }: Viewer) => ({
  caller: person === undefined ? undefined : { id: person },
  address: network,
  userAgent,
});

/** Seconds of play that a player must report. */
const requiredOf = ({ seconds }: Reel) => Math.min(5, 0.9 * seconds);
