import { type Kysely, sql } from 'kysely';
import { rules, secondsToWatch } from '#contract/rates.ts';
import { closeMonths } from '#server/features/earnings/closing.ts';
import { worthOfMonth } from '#server/features/earnings/earnings.ts';
import { markMonth } from '#server/features/earnings/marks.ts';
import type { MonthPay } from '#server/features/earnings/month-pay.ts';
import { likePost } from '#server/features/posts-and-stories/likes.ts';
import { publishPhoto } from '#server/features/posts-and-stories/publish.ts';
import { browserOf, openLeases } from '#server/features/views/lease.ts';
import { type RecordBrowser, rememberBrowsers } from '#server/features/views/own-browsers.ts';
import { watchedByPace } from '#server/features/views/pace.ts';
import { readReports } from '#server/features/views/reports.ts';
import { addressOf, isBot, viewerOf } from '#server/features/views/viewers.ts';
import { recordShowings } from '#server/features/views/views.ts';
import { neededFor, recordWatched, type WatchedReel } from '#server/features/views/watched.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { madeReel, personIn, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { setOlderAppsUntil } from '#testing/fixtures/watching.ts';
import { EstablishedModel } from '#testing/models/established-model.ts';
import { dayMs, minuteMs, month, monthBegin } from './calendar.ts';

/** One showing of a reel, and its outcome. */
export interface Viewing {
  reel: string;
  address: string;
  /** Id of the signed-in person. */
  personId?: string | undefined;
  /** Random id that the browser keeps; an older app has none. */
  browser: string | undefined;
  /** When the call reaches the server, and when its report does; undefined if it never does. */
  at: number;
  reportAt: number | undefined;
  /** Seconds of play that the player claims. */
  seconds: number;
}

/** A report of a showing. `of` is undefined if its lease was changed. */
export interface Report {
  of: Viewing | undefined;
  lease: string;
  seconds: number;
  at: number;
}

/**
 * The outcome. The lease or the server's clock refuses a report; a view is refused because it is the creator's own, repeated, or above the
 * viewer's limit.
 */
export type Outcome = 'counted' | 'no lease' | 'not reported' | 'report refused' | 'view refused';

export interface SiteKind {
  /** Whether the judged month is the first of the site. */
  isNew: boolean;
  /** Whether addresses can be verified. */
  hasMail: boolean;
}

const userAgent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
const batch = 2000;

/**
 * A site with the server's own rules and a test clock. What HTTP adds (validation, rate limits) is left out; each showing and each report
 * goes through the functions that the routes call, in batches like those of the server.
 */
export class Site {
  now = new Date(monthBegin);
  readonly kind: SiteKind;
  readonly db: Kysely<Tables>;
  /** What was done on this site; the server does not know it. */
  readonly acts: EstablishedModel;
  private readonly reels: Map<string, { creator: string; seconds: number }>;
  private readonly photos: Map<string, string>;
  private readonly recordBrowser: RecordBrowser;
  private readonly leases: ReturnType<typeof openLeases>;

  constructor(db: Kysely<Tables>, kind: SiteKind, base?: Site) {
    this.hashes = base?.hashes ?? new Map();
    this.reels = new Map(base?.reels);
    this.photos = new Map(base?.photos);
    this.db = db;
    this.kind = kind;
    this.acts = new EstablishedModel({
      begin: monthBegin,
      end: monthBegin + 30 * dayMs,
      hasMail: kind.hasMail,
    });
    this.leases = openLeases(this.context.keyring.secret('showings'));
    this.recordBrowser = rememberBrowsers({ ...this.context, clock: () => this.now });
  }

  static async open(db: Kysely<Tables>, kind: SiteKind): Promise<Site> {
    await setOlderAppsUntil(db, new Date('9999-01-01'));
    return new Site(db, kind);
  }

  get context() {
    return contextOn(this.db, { clock: () => this.now, outbox: { ...noOutbox, isOn: this.kind.hasMail } });
  }

  /** Runs on this site and undoes all changes. Its `acts` are those of the run. */
  async runAndUndo<T>(run: (site: Site) => Promise<T>): Promise<T> {
    const trx = await this.db.startTransaction().execute();
    try {
      await sql`set local statement_timeout = 0`.execute(trx);
      return await run(new Site(trx, this.kind, this));
    } finally {
      await trx.rollback().execute();
    }
  }

  /** An account with a verified address; on a new site none is older than the site. */
  async account(joined: number, isVerified = true): Promise<string> {
    const at = new Date(this.kind.isNew ? Math.max(joined, monthBegin) : joined);
    const id = await personIn(this.db, at);
    if (isVerified)
      await this.db.updateTable('people').set({ email_verified_at: at }).where('id', '=', id).execute();
    this.acts.join(id, { joinedAt: at.getTime(), verifiedAt: isVerified ? at.getTime() : undefined });
    return id;
  }

  /** A reel that is stored by other means than `reel`. */
  noteReel(id: string, creator: string, seconds: number): void {
    this.reels.set(id, { creator, seconds });
  }

  /** A photo that is stored by other means than `photo`. */
  notePhoto(id: string, creator: string): void {
    this.photos.set(id, creator);
  }

  /** Publishes a video of 20 seconds at the current time. */
  async reel(
    creatorId: string,
    made: { bytes?: string; seconds?: number; still?: boolean } = {},
  ): Promise<string> {
    const all = { seconds: 20, ...made };
    const id = await madeReel(this.context, creatorId, all);
    this.noteReel(id, creatorId, all.seconds);
    return id;
  }

  /** Which of these reels the server takes for copies. */
  async takenForCopies(reelIds: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .selectFrom('reels')
      .select('id')
      .where('id', 'in', reelIds)
      .where('duplicate', '=', true)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Publishes a photo, or a story, at the current time. */
  async photo(
    creatorId: string,
    { kind = 'post', bytes, print }: { kind?: 'post' | 'story'; bytes?: string; print?: Buffer } = {},
  ): Promise<string> {
    const fileName = await uploadedPhoto(this.db, creatorId, this.now, bytes);
    if (print) await this.db.updateTable('uploads').set({ print }).where('key', '=', fileName).execute();
    const form =
      kind === 'post' ? { kind, fileName, caption: '', description: '' } : { kind, fileName, statusText: '' };
    const { id } = await publishPhoto(this.context, creatorId, form);
    this.notePhoto(id, creatorId);
    return id;
  }

  async like(postId: string, personId: string): Promise<void> {
    await likePost(this.context, postId, personId);
    const creator = this.photos.get(postId);
    if (creator !== undefined && creator !== personId)
      this.acts.like({ account: personId, creator, photo: postId });
  }

  /**
   * Simulates people and scripts day by day: the showings of a day, then its reports, each in the order of the server's clock. So a login
   * counts for its whole day, which can only raise the number of views that count as the creator's own.
   */
  async watch(viewings: readonly Viewing[]): Promise<Map<Viewing, Outcome>> {
    const outcomes = new Map<Viewing, Outcome>();
    const days = Map.groupBy(viewings, ({ at }) => Math.floor((at - monthBegin) / dayMs));
    for (const [, some] of [...days].sort(([one], [other]) => one - other)) {
      const leases = await this.show(some);
      const reports: (Report & { of: Viewing })[] = [];
      for (const of of some) {
        const lease = leases.get(of);
        if (!lease) outcomes.set(of, 'no lease');
        else if (of.reportAt === undefined) outcomes.set(of, 'not reported');
        else reports.push({ of, lease, seconds: of.seconds, at: of.reportAt });
      }
      const counted = await this.report(reports);
      for (const [place, { of }] of reports.entries()) outcomes.set(of, counted[place] ?? 'report refused');
    }
    return outcomes;
  }

  /** The leases of those showings that can count. */
  async show(viewings: readonly Viewing[]): Promise<Map<Viewing, string>> {
    const ordered = viewings.toSorted((one, other) => one.at - other.at);
    for (const { personId, browser, at } of ordered) {
      if (personId === undefined || browser === undefined) continue;
      this.now = new Date(at);
      await this.recordBrowser(personId, this.browserMark(browser));
    }
    const leases = new Map<Viewing, string>();
    for (let from = 0; from < ordered.length; from += batch) {
      const some = ordered.slice(from, from + batch);
      const seen = some.map(({ reel, personId, address, browser = userAgent, at }) => ({
        reelId: reel,
        viewer: this.viewer(personId, address, browser),
        personId,
        bot: isBot(userAgent),
        at: new Date(at),
        address: this.network(address),
      }));
      const answers = await recordShowings(this.context, seen);
      for (const [place, viewing] of some.entries()) {
        const [showing, seconds] = [seen[place], answers[place]?.watchable];
        if (!showing || seconds === undefined) continue;
        const browser = viewing.browser === undefined ? undefined : this.browserMark(viewing.browser);
        const toWatchMs = secondsToWatch(seconds, rules.watch) * 1000;
        const { at: issuedAt, ...lease } = showing;
        leases.set(viewing, this.leases.issue({ ...lease, browser, issuedAt, toWatchMs }));
      }
    }
    return leases;
  }

  /** Reports what players claim. Undefined if the lease or the clock refuses it. */
  async report(reports: readonly Report[]): Promise<('counted' | 'view refused' | undefined)[]> {
    for (const { of, seconds, at } of reports) if (of) this.note(of, at, seconds * 1000);
    const parts = { leases: this.leases, secret: this.context.keyring.secret('viewers') };
    const held = reports.flatMap(({ at, lease, seconds }, place) =>
      readReports(parts, [{ lease, seconds }], new Date(at)).map((reel) => ({ place, reel })),
    );
    held.sort((one, other) => one.reel.at.getTime() - other.reel.at.getTime());
    const outcomes: ('counted' | 'view refused' | undefined)[] = reports.map(() => undefined);
    const counted = await this.record(held.map(({ reel }) => reel));
    for (const [index, { place }] of held.entries())
      outcomes[place] = counted[index] ? 'counted' : 'view refused';
    return outcomes;
  }

  /** Showings in an older app, by their pace. Returns those that count. */
  async watchInOldApp(viewings: readonly Viewing[]): Promise<Set<Viewing>> {
    const watched: { of: Viewing | undefined; reel: WatchedReel }[] = [];
    const last = new Map<string, Viewing>();
    const neededMs = neededFor(secondsToWatch(20, rules.watch) * 1000);
    for (const of of viewings.toSorted((one, other) => one.at - other.at)) {
      const { reel: reelId, personId, address, at: time } = of;
      if (personId === undefined) continue;
      const followed = this.lastOfPeople.get(personId);
      const passed = followed ? time - followed.at : 0;
      if (followed && passed >= rules.watch.seconds * 1000) this.note(followed, time, passed);
      this.lastOfPeople.set(personId, of);
      this.now = new Date(time);
      const [at, from, viewer] = [this.now, this.network(address), this.viewer(personId, address, '')];
      await recordShowings(this.context, [{ reelId, personId, bot: false, at }]);
      const before = await watchedByPace(this.context, { personId, at, reel: { reelId, neededMs } });
      const reel = before && { ...before, viewer, address: from, signedIn: true, issuedAt: before.at, at };
      if (reel) watched.push({ of: last.get(personId), reel });
      last.set(personId, of);
    }
    const counted = await this.record(watched.map(({ reel }) => reel));
    return new Set(watched.flatMap(({ of }, place) => (of && counted[place] ? [of] : [])));
  }

  private readonly lastOfPeople = new Map<string, Viewing>();

  /** Notes a view that the rules may count: of another creator's reel, played long enough, and reported in time. */
  private note(
    { reel, personId: account, browser, address, at: shownAt }: Viewing,
    at: number,
    playedMs: number,
  ): void {
    const { creator, seconds } = this.reels.get(reel) ?? {};
    if (creator === undefined || seconds === undefined || creator === account) return;
    const neededMs = secondsToWatch(seconds, rules.watch) * 1000;
    const passed = at - shownAt;
    const isInTime = passed >= neededFor(neededMs) && passed <= rules.watch.leaseMinutes * minuteMs;
    if (playedMs < neededMs || !isInTime) return;
    const viewer = account ?? `${address} ${browser}`;
    this.acts.watch({ account, viewer, creator, reel, at });
  }

  /** The worth of a creator's month at the first moment at which it can be withdrawn. */
  async pay(creatorId: string): Promise<MonthPay> {
    this.now = new Date(monthBegin + 30 * dayMs + 120 * minuteMs);
    await closeMonths(this.context);
    return await worthOfMonth(this.context, creatorId, month);
  }

  /** Marks a month, which ends at `end`, in the night after it. */
  async mark(end: number): Promise<void> {
    this.now = new Date(end + 120 * minuteMs);
    await closeMonths(this.context);
    await markMonth(this.context, monthOf(new Date(end - dayMs), this.context.config.timeZone));
  }

  /** Marks the judged month; returns the marks of its creators. */
  async marked(): Promise<Map<string, string[]>> {
    await this.mark(monthBegin + 30 * dayMs);
    const rows = await this.db.selectFrom('month_marks').selectAll().where('month', '=', month).execute();
    const marks = new Map<string, string[]>();
    for (const { creator_id, mark } of rows) marks.set(creator_id, [...(marks.get(creator_id) ?? []), mark]);
    return marks;
  }

  /** Views of the month by verdict. */
  async verdicts(): Promise<Map<string, number>> {
    const { rows } = await sql<{ verdict: string; views: number }>`
      select verdict, sum(views)::int as views from reel_days where to_char(day, 'YYYY-MM') = ${month} group by verdict`.execute(
      this.db,
    );
    return new Map(rows.map(({ verdict, views }) => [verdict, views]));
  }

  private async record(watched: readonly WatchedReel[]): Promise<boolean[]> {
    const counted: boolean[] = [];
    for (let from = 0; from < watched.length; from += batch)
      counted.push(...(await recordWatched(this.context, watched.slice(from, from + batch))));
    return counted;
  }

  // Hashes are cached, because each showing needs one of the same few thousand.
  private readonly hashes: Map<string, Buffer>;
  private hashed(what: string, compute: () => Buffer): Buffer {
    const known = this.hashes.get(what) ?? compute();
    this.hashes.set(what, known);
    return known;
  }
  private secret = (use: 'viewers' | 'showings') => this.context.keyring.secret(use);
  private network = (address: string) =>
    this.hashed(`network ${address}`, () => addressOf(this.secret('viewers'), address));
  private browserMark = (id: string) =>
    this.hashed(`browser ${id}`, () => browserOf(this.secret('showings'), id));
  private viewer = (personId: string | undefined, address: string, browser: string) =>
    this.hashed(personId ?? `${address} ${browser}`, () =>
      viewerOf(this.secret('viewers'), { personId, address, userAgent: browser }),
    );
}
