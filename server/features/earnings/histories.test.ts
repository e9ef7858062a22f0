import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { randomOf } from '#demo/random.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newKey } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import type { Storage } from '#server/platform/storage.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { earnReleased, personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { reopenMonths, showAndWatch } from '#testing/fixtures/watching.ts';
import { type Counts, EarningsModel } from '#testing/models/earnings-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { closeMonths } from '../months/closing.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { deletePost, deleteStory } from '../posts-and-stories/deletion.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { deleteReel } from '../reels/deletion.ts';
import { rejectWithdrawal } from '../withdrawals/review.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { auditLedger } from './audit.ts';

/*
 * Random histories are compared with an independent model: after every step both agree on every month, no past month has
 * changed, and the ledger balances. `HISTORIES=10000` runs more of them (CONTRIBUTING.md).
 */
const histories = howMany('HISTORIES', { share: 20, whole: 500 });
const steps = 14;
const atOnce = 8;

const minute = 60_000;
const hour = 60 * minute;
const zones = [
  { timeZone: 'Asia/Kolkata', offset: 5.5 * hour },
  { timeZone: 'UTC', offset: 0 },
] as const;
type Zone = (typeof zones)[number];

it.each(zones)(
  `${histories / 2} random histories in $timeZone agree with the model after every step`,
  async (zone) => {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-histories-'));
    try {
      const storage = await openDiskStorage(folder);
      const seeds = Array.from({ length: histories / 2 }, (_, index) => index);
      const withdrawals = await Promise.all(
        Array.from({ length: atOnce }, () => liveSome({ storage, zone, seeds })),
      );
      expect(withdrawals.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(histories / 40);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  60_000 + histories * 200,
);

/** Lives these histories one after the other on one site, audits it, and returns the number of withdrawals. */
async function liveSome({ storage, zone, seeds }: { storage: Storage; zone: Zone; seeds: number[] }) {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 2);
  try {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      // A month is closed for the whole site, and each history has its own time.
      await reopenMonths(db);
      await new History(db, storage, zone, seed).live().catch((error) => {
        throw new Error(`history ${seed} in ${zone.timeZone}`, { cause: error });
      });
    }
    const audit = await auditLedger(
      contextOn(db, { config: { ...contextOn(db).config, timeZone: zone.timeZone } }),
    );
    expect(audit.differences).toEqual([]);
    return audit.withdrawals;
  } finally {
    await db.destroy();
    await database.drop();
  }
}

class History {
  private readonly model: EarningsModel;
  private readonly random: () => number;
  private readonly said: string[] = [];
  private people: string[] = [];
  private readonly gone = new Set<string>();
  private now: number;
  /** Each month as it was at its end. */
  private frozen: Record<string, Counts> = {};
  private readonly db: Kysely<Tables>;
  private readonly storage: Storage;
  private readonly zone: Zone;

  constructor(db: Kysely<Tables>, storage: Storage, zone: Zone, seed: number) {
    this.db = db;
    this.storage = storage;
    this.zone = zone;
    this.random = randomOf(seed + 1000);
    this.model = new EarningsModel(zone.offset);
    // One third of the year is within about a day of the end of a month.
    const [year, month] = [2026, this.random() < 0.3 ? 12 : this.below(12)];
    this.now = Date.UTC(year, month, 1) - zone.offset - Math.floor(this.random() * 30 * hour);
  }

  async live(): Promise<void> {
    for (let place = 0; place < 4; place += 1) {
      const person = await personIn(this.db, new Date(this.now - 90 * 24 * hour));
      await payableAt(this.context(), person);
      this.people.push(person);
    }
    await this.check();
    if (this.random() < 0.6) await this.busyPast(490 + this.below(25));
    // Two months under a rupee, which may reach it together.
    else if (this.random() < 0.7) {
      await this.busyPast(200 + this.below(150));
      this.now += 31 * 24 * hour;
      await this.busyPast(200 + this.below(150));
    }
    await this.check();
    for (let step = 0; step < steps; step += 1) {
      this.passTime();
      const act = this.oneOf(this.acts);
      try {
        await act?.();
        await this.check();
      } catch (error) {
        throw new Error(`after ${this.said.join(' · ')}`, { cause: error });
      }
    }
  }

  private readonly acts = [
    () => this.publishReel(),
    () => this.publishPhoto('post'),
    () => this.publishPhoto('post'),
    () => this.publishPhoto('story'),
    () => this.look(),
    () => this.look(),
    () => this.like(),
    () => this.like(),
    () => this.unlike(),
    () => this.unlike(),
    () => this.remove(),
    () => this.ask(),
    () => this.ask(),
    () => this.ask(),
    () => this.decide(),
    () => this.leave(),
  ];

  /** An operator releases so many coins in the current month, so that the first withdrawals become possible. */
  private async busyPast(coins: number): Promise<void> {
    const creator = this.creator();
    if (!creator) return;
    const month = this.model.monthOf(this.now);
    if (this.model.released.has(`${creator} ${month}`)) return;
    await earnReleased(this.db, creator, month, coins);
    this.model.released.set(`${creator} ${month}`, coins);
    this.say(`${coins} coins`);
  }

  private async publishReel(): Promise<void> {
    const creator = this.creator();
    if (!creator) return;
    const file = this.file();
    const id = await publishedReel(this.db, creator, this.date(), this.zone.timeZone, file);
    this.model.publish(id, 'reel', creator, file, this.now);
    this.say('reel');
  }

  private async publishPhoto(kind: 'post' | 'story'): Promise<void> {
    const creator = this.creator();
    if (!creator) return;
    const file = this.file();
    const fileName = await uploadedPhoto(this.db, creator, this.date(), file);
    const form = { fileName, caption: '', description: '', statusText: '' };
    const publish = kind === 'post' ? publishPost : publishStory;
    const { id } = await publish(this.context(), creator, form);
    this.model.publish(id, kind, creator, file, this.now);
    this.say(kind);
  }

  /** Up to forty people at once watch one reel: strangers and its creator, some of them repeatedly. */
  private async look(): Promise<void> {
    const reel = this.some('reel');
    if (!reel) return;
    const creator = this.model.items.get(reel)?.creator;
    const views = Array.from({ length: 1 + this.below(40) }, () => {
      const personId = this.random() < 0.2 ? creator : undefined;
      const name = personId ?? `${this.below(30)}`;
      // A viewer's time counts for one reel only, so each reel has viewers of its own. None of them is an established account.
      const viewer = createHash('sha256').update(`${name} ${reel}`).digest().subarray(0, 16);
      return {
        ...{ name, reelId: reel, viewer, address: Buffer.alloc(8), personId },
        ...{
          signedIn: personId !== undefined,
          issuedAt: this.date(),
          at: new Date(this.now + 5000),
          neededMs: 720,
        },
      };
    });
    const counted = await showAndWatch(this.context(), views);
    for (const { name, personId } of views) this.model.view(reel, name, personId, this.now);
    this.say(`${views.length} views, ${counted.filter(Boolean).length} of which count`);
  }

  private async like(): Promise<void> {
    const post = this.some('post');
    if (!post) return;
    for (const person of this.present().filter(() => this.random() < 0.7)) {
      await likePost(this.context(), post, person);
      this.model.like(post, person, this.now);
    }
    this.say('likes');
  }

  private async unlike(): Promise<void> {
    const post = this.some('post');
    if (!post) return;
    const person = this.oneOf(this.present());
    if (!person) return;
    await unlikePost(this.context(), post, person);
    this.model.unlike(post, person, this.now);
    this.say('unlike');
  }

  private async remove(): Promise<void> {
    const id = this.some(this.oneOf(['reel', 'post', 'story'] as const));
    const item = id ? this.model.items.get(id) : undefined;
    if (!id || !item) return;
    const remove = { reel: deleteReel, post: deletePost, story: deleteStory }[item.kind];
    await remove(this.context(), id, item.creator);
    this.model.delete(id, this.now);
    this.say(`delete ${item.kind}`);
  }

  /** Withdraws a finished, current or future month, sometimes with another amount or for another person. */
  private async ask(): Promise<void> {
    const creator = this.creator();
    if (!creator) return;
    const known = [...Object.keys(this.model.months([creator])), ...this.model.released.keys()]
      .filter((key) => key.startsWith(creator))
      .map((key) => key.split(' ')[1] ?? '');
    const month =
      (this.random() < 0.7 && this.oneOf(known)) ||
      this.model.monthOf(this.now + this.oneOf([-31, 0, 31]) * 24 * hour);
    const standing = this.model.standing(creator, month);
    const own = this.model.paise(creator, month);
    const { paise, carried } = standing?.[1] ?? this.model.payable(creator, month);
    // The amount of the month alone, or with the carried months.
    const shown = this.oneOf([own, paise]);
    const amount = Math.max(0, this.random() < 0.15 ? shown + this.oneOf([-1, 1, 100]) : shown);
    const form = {
      userId: this.random() < 0.05 ? (this.people[3] ?? '') : creator,
      month,
      totalRupee: amount / 100,
    };
    // Everything that ended is counted a quarter of an hour later.
    if (this.model.monthOf(this.now - 15 * minute) !== this.model.monthOf(this.now)) this.now += 15 * minute;
    await closeMonths(this.context());
    const outcome = await withdraw(this.context(), creator, form).catch((error) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    });
    const refusal =
      form.userId !== creator
        ? 'not_yours'
        : month >= this.model.monthOf(this.now)
          ? 'month_not_over'
          : !standing && paise < 100
            ? 'below_minimum'
            : amount !== own && amount !== paise
              ? 'amount_differs'
              : undefined;
    this.say(`ask for ${month}: ${typeof outcome === 'string' ? outcome : outcome._id}`);
    if (refusal) return expect(outcome).toBe(refusal);
    if (typeof outcome === 'string') throw new Error(`refused as ${outcome}`);
    expect(outcome).toMatchObject({ month: standing?.[1].month ?? month, paise });
    expect(outcome.carried.map((one) => one.month)).toEqual(carried);
    if (standing) expect(outcome._id).toBe(standing[0]);
    else this.model.requests.set(outcome._id, { creator, month, carried, paise, state: 'pending' });
  }

  /** The context of rules, at the time of this history. */
  private context() {
    return { ...contextAt(this.db, this.date(), this.zone.timeZone), storage: this.storage };
  }

  private async decide(): Promise<void> {
    const [id, request] = this.oneOf([...this.model.requests]) ?? [];
    if (!id || !request) return;
    const state = this.oneOf(['completed', 'rejected'] as const);
    const reason = `as reason of ${id}`;
    const run =
      state === 'completed'
        ? completeWithdrawal(this.context(), id, { reference: reason, operatorId: null })
        : rejectWithdrawal(this.context(), id, { reason: reason, operatorId: null });
    const allowed = request.state === 'pending' || request.state === state;
    if (allowed) expect((await run).status).toBe(state);
    else await expect(run).rejects.toMatchObject({ code: 'withdrawal_decided' });
    if (allowed) request.state = state;
    this.say(`${state} ${id}`);
  }

  /** A person deletes their account, which is refused while a withdrawal is pending. */
  private async leave(): Promise<void> {
    const person = this.oneOf(this.present());
    if (!person || this.random() < 0.5) return;
    const leaving = deleteAccount(this.context(), person, person);
    const waits = [...this.model.requests.values()].some(
      ({ creator, state }) => creator === person && state === 'pending',
    );
    this.say(`${waits ? 'would leave' : 'leave'}: ${person}`);
    if (waits) return await expect(leaving).rejects.toMatchObject({ code: 'withdrawal_pending' });
    await leaving;
    this.model.leave(person, this.now);
    this.gone.add(person);
  }

  /** Reads the state of these people from the database in one query, to compare it with the model. */
  private async check(): Promise<void> {
    const { rows } = await sql<{
      months: ({ creator: string; month: string } & Counts)[];
      requests: { id: string; state: string; paise: number; balances: Record<string, number> }[];
    }>`
      select
        (select coalesce(json_agg(json_build_object('creator', creator_id, 'month', month, 'reels', reels, 'posts', posts,
            'stories', stories, 'views', views, 'likes', likes)), '[]') from creator_months
          where creator_id = any(${this.people}::uuid[]) and reels + posts + stories + views + likes > 0) as months,
        (select coalesce(json_agg(r), '[]') from (
          select id, state, paise, (select json_object_agg(account, sum) from (
            select account, sum(paise) from ledger_entries where withdrawal_id = w.id group by account) b) as balances
          from withdrawals w where creator_id = any(${this.people}::uuid[])) r) as requests`.execute(this.db);
    const [{ months, requests } = { months: [], requests: [] }] = rows;
    const held = Object.fromEntries(
      months.map(({ creator, month, ...counts }) => [`${creator} ${month}`, counts]),
    );
    expect(held).toEqual(this.model.months(this.people));

    const current = this.model.monthOf(this.now);
    for (const [key, counts] of Object.entries(this.frozen))
      expect(held[key], `${key}, which is over`).toEqual(counts);
    this.frozen = Object.fromEntries(
      Object.entries(held).filter(([key]) => (key.split(' ')[1] ?? '') < current),
    );

    expect(Object.fromEntries(requests.map(({ id, state }) => [id, state]))).toEqual(
      Object.fromEntries([...this.model.requests].map(([id, { state }]) => [id, state])),
    );
    for (const { state, paise, balances } of requests) {
      expect(Number.isSafeInteger(paise)).toBe(true);
      expect(Object.values(balances).reduce((sum, one) => sum + one, 0)).toBe(0);
      expect(balances).toEqual(
        {
          pending: { earnings_expense: paise, creator_payable: -paise },
          completed: { earnings_expense: paise, creator_payable: 0, payouts: -paise },
          rejected: { earnings_expense: 0, creator_payable: 0 },
        }[state],
      );
    }
  }

  /**
   * Advances time by a moment, an hour or a day, to milliseconds around the end of the month, or into the next month.
   */
  private passTime(): void {
    const dice = this.random();
    if (dice < 0.3) this.now += 1 + this.below(2 * minute);
    else if (dice < 0.5) this.now += this.below(3 * hour);
    else if (dice < 0.65) this.now += 24 * hour - 1 + this.below(3);
    else if (dice < 0.85) {
      const local = new Date(this.now + this.zone.offset);
      const end = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1) - this.zone.offset;
      this.now = Math.max(this.now, end + this.oneOf([-2, -1, 0, 1]));
    } else this.now += this.below(20 * 24 * hour);
  }

  private date = () => new Date(this.now);
  private present = () => this.people.filter((person) => !this.gone.has(person));
  /** One of the two creators; nobody after both are deleted. */
  private creator = () => this.oneOf(this.people.slice(0, 2).filter((person) => !this.gone.has(person)));
  private say = (what: string) => this.said.push(`${this.date().toISOString()} ${what}`);
  private below = (limit: number) => Math.floor(this.random() * limit);
  /** Usually a new file, sometimes one that this history has published before. */
  private files: string[] = [];
  private file(): string {
    const known = this.random() < 0.2 ? this.oneOf(this.files) : undefined;
    if (known) return known;
    const file = newKey();
    this.files.push(file);
    return file;
  }

  private some(kind: 'reel' | 'post' | 'story'): string | undefined {
    const standing = [...this.model.items].filter(
      ([, item]) => item.kind === kind && item.deleted === undefined,
    );
    return this.oneOf(standing.slice(-5))?.[0];
  }

  private oneOf<const Many extends readonly unknown[]>(many: Many): OneOf<Many> {
    return many[this.below(many.length)] as OneOf<Many>;
  }
}

/** An element of a list; undefined if it is empty. */
type OneOf<Many extends readonly unknown[]> = Many extends readonly [unknown, ...unknown[]]
  ? Many[number]
  : Many[number] | undefined;
