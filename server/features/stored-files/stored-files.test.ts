import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { randomOf } from '#demo/random.ts';
import type { Context } from '#server/platform/context.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newKey } from '#server/platform/ids.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { holding, type Storage } from '#server/platform/storage.ts';
import { contextOn } from '#testing/context.ts';
import { personIn } from '#testing/fixtures/earnings.ts';
import { filesNamedByRows, filesRegistered, filesStored } from '#testing/models/files-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany, isWhole } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { noteImport } from '../imports/imports.ts';
import { restoreContent, takeDown } from '../moderation/take-down.ts';
import { restorePerson, suspendPerson } from '../operators/people.ts';
import { removePhoto, setPicture } from '../people/profile.ts';
import { deletePost, deleteStory } from '../posts-and-stories/deletion.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { removeCaptions, setCaptions } from '../reels/captions.ts';
import { putCover } from '../reels/cover.ts';
import { deleteReel } from '../reels/deletion.ts';
import { giveUpReel, makePublic } from '../reels/processing.ts';
import { publishReel } from '../reels/reels.ts';
import { deleteExpiredUploads } from '../uploads/expiry.ts';
import { PartsStore } from '../uploads/parts-store.ts';
import { openResumable, type Resumable } from '../uploads/resumable.ts';
import { openUnpublished } from '../uploads/unpublished.ts';
import { noteUpload } from '../uploads/uploads.ts';
import { noteExtraFiles } from './extra-files.ts';
import { removalJob, removeFiles, removingLater } from './removal.ts';
import { listHiddenFiles } from './stored-files.ts';
import { sweep } from './sweeper.ts';

/*
 * Random histories of everything that writes, publishes, replaces, hides and deletes files: after every step the register agrees with the
 * rows that name files, and the storage contains exactly what is registered. `FILE_HISTORIES=1000` runs more of them.
 */
const histories = howMany('FILE_HISTORIES', { share: 2, whole: 200 });
const steps = 60;
const hour = 3_600_000;
const operator = { id: null, name: 'tests' };

it(
  `in ${histories} invented histories the register, the rows and the storage agree after every step`,
  async () => {
    const database = await freshDatabase();
    const db = await openDatabase(database.url, 8);
    try {
      for (let seed = 0; seed < histories; seed += 1) {
        const folder = await mkdtemp(join(tmpdir(), 'jhalak-files-'));
        const history = new History(db, await openDiskStorage(folder), seed);
        await history.live().catch((error: unknown) => {
          throw new Error(`history ${seed}: ${history.said.join(' · ')}`, { cause: error });
        });
        await rm(folder, { recursive: true, force: true });
        await db.deleteFrom('people').execute();
        for (const table of ['stored_files', 'reels', 'posts', 'stories', 'uploads'] as const)
          await db.deleteFrom(table).execute();
      }
      if (!isWhole) return;
      // Proves that not all acts were refused: each kind of file and each state was seen.
      const words = new Set([...seen].flatMap((one) => one.split(' ')));
      const kinds = ['captions', 'copy', 'cover', 'extra', 'photo', 'reel', 'thumbnail', 'video'];
      const states = ['arriving', 'in_use', 'removed', 'waiting', 'withheld'];
      expect([...words].sort()).toEqual([...kinds, ...states].sort());
    } finally {
      await db.destroy();
      await database.drop();
    }
  },
  60_000 + histories * 10_000,
);

type Act = () => Promise<unknown>;

const columnsOfFiles = [
  'imports.copy_key',
  'imports.thumbnail_key',
  'imports.upload_key',
  'people.picture_key',
  'posts.extra_key',
  'posts.media_key',
  'reel_captions.key',
  'reels.cover_key',
  'reels.media_key',
  'reels.thumbnail_key',
  'resumable_uploads.key',
  'stored_files.key',
  'stories.extra_key',
  'stories.media_key',
  'uploads.key',
];
/** What others contain, which have similar names. */
const otherColumns: Record<string, string> = {
  'account_links.email_key': 'how an e-mail address is compared',
  'email_changes.email_key': 'how an e-mail address is compared',
  'email_changes.old_email_key': 'how an e-mail address is compared',
  'mails.recipient_key': 'how an e-mail address is compared',
  'people.email_key': 'how an e-mail address is compared',
  'people.username_key': 'how a username is compared',
  'people.name_key': 'how a name is searched',
  'people.look_key': 'how a username looks',
  'search_words.key': 'how a word is searched',
  'tags.key': 'how a hashtag is searched',
  'unmatched_payments.key': 'the id or the reference of a payment',
  'purges.keys': 'an outbox: what caches elsewhere are told',
  'posts.extra_files': 'sizes by name',
  'stories.extra_files': 'sizes by name',
  'stored_files.files': 'sizes by name',
  'uploads.files': 'sizes by name',
};

/** What has been registered so far, by kind and state. */
const seen = new Set<string>();

class History {
  readonly said: string[] = [];
  private readonly db: Kysely<Tables>;
  private readonly store: Storage;
  private readonly context: Context;
  private readonly resumable: Resumable;
  private readonly parts: PartsStore;
  private readonly random: () => number;
  private now: number;
  private people: string[] = [];
  /** Keys of the removal jobs that were queued. */
  private ordered: string[] = [];
  /** Videos whose import has not ended: nobody knows their keys yet. */
  private readonly importing = new Set<string>();

  constructor(db: Kysely<Tables>, disk: Storage, seed: number) {
    this.db = db;
    this.store = this.aging(disk);
    this.random = randomOf(seed + 77);
    this.now = Date.now();
    const jobs = {
      send: async (_: unknown, kind: JobKind<object>, data: object) => {
        if (kind.name === removalJob.name) this.ordered.push(...(data as { keys: string[] }).keys);
      },
    };
    const storage = removingLater({ db, jobs }, this.store);
    this.context = { ...contextOn(db, { jobs, clock: () => new Date(this.now) }), storage };
    this.resumable = openResumable(this.context, openUnpublished(db, { files: 1000, bytes: 1024 ** 4 }));
    this.parts = new PartsStore(storage, this.resumable);
  }

  /** The same storage, with file ages by the clock of this history. */
  private aging(disk: Storage): Storage {
    const writtenAt = new Map<string, number>();
    const note = (key: string) => writtenAt.set(key, this.now);
    const now = () => this.now;
    return {
      ...disk,
      sweepWorkspaces: async () => undefined,
      async append(key, offset, stream) {
        note(key);
        return await disk.append(key, offset, stream);
      },
      async publish(key, folder) {
        note(key);
        await disk.publish(key, folder);
      },
      async receive(stream, announced) {
        const file = await disk.receive(stream, announced);
        note(file.key);
        return file;
      },
      async *list(prefix) {
        for await (const file of disk.list(prefix))
          yield { ...file, modifiedAt: new Date(writtenAt.get(file.key.split('/')[1] ?? '') ?? now()) };
      },
    };
  }

  async live(): Promise<void> {
    for (let place = 0; place < 3; place += 1)
      this.people.push(await personIn(this.db, new Date(this.now - 90 * 24 * hour)));
    for (let step = 0; step < steps; step += 1) {
      if (this.random() < 0.15) this.now += Math.floor(this.random() * 10 * hour);
      const acts = [this.choose(), ...(this.random() < 0.3 ? [this.choose(), this.choose()] : [])];
      this.said.push(acts.map(([name]) => name).join(' + '));
      for (const done of await Promise.allSettled(acts.map(([, act]) => act())))
        if (done.status === 'rejected' && !isAnswered(done.reason)) throw done.reason;
      await removeFiles({ db: this.db, storage: this.store }, this.ordered.splice(0));
      await this.check();
    }
    await this.checkColumns();
  }

  private async check(): Promise<void> {
    for (const { kind, state } of await this.db.selectFrom('stored_files').selectAll().execute())
      seen.add(`${kind} ${state}`);
    const registered = await filesRegistered(this.db);
    expect(registered).toEqual(await filesNamedByRows(this.db));
    const stored = await filesStored(this.store);
    const dropped = await this.db
      .selectFrom('stored_files')
      .where('state', '=', 'removed')
      .select('key')
      .execute();
    const expected = Object.entries(registered).flatMap(([file, state]) =>
      state === 'arriving' ? [] : [file.split(' ')[1] ?? ''],
    );
    expect(expected.filter((file) => !stored.has(file))).toEqual([]);
    // What must not be served, by the rows.
    const suspended = new Set(
      (await this.db.selectFrom('people').where('suspended_at', 'is not', null).select('id').execute()).map(
        ({ id }) => id,
      ),
    );
    const hidden = Object.entries(registered)
      .filter(([file, state]) => state === 'withheld' || suspended.has(file.split(' ')[0] ?? ''))
      .map(([file]) => lastPart(file));
    const all = new Set([...hidden, ...suspended, ...dropped.map(({ key }) => key)]);
    expect(new Set(await listHiddenFiles(this.db))).toEqual(all);
    const known = new Set([...Object.keys(registered), ...dropped.map(({ key }) => key)].map(lastPart));
    expect([...stored].filter((file) => !known.has(lastPart(file)))).toEqual([]);
  }

  /** Every column that contains keys of stored files is known to the model. */
  private async checkColumns(): Promise<void> {
    const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
      select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely%'`.execute(this.db);
    const suspicious = columns
      .filter(
        ({ column, type }) =>
          ['text', 'ARRAY', 'jsonb'].includes(type) &&
          /key|file|media|picture|thumb|poster|image/.test(column),
      )
      .map(({ table, column }) => `${table}.${column}`);
    expect(suspicious.filter((name) => !columnsOfFiles.includes(name) && !otherColumns[name])).toEqual([]);
    // Independent of its name: a text that contains the key of a file.
    const holding: string[] = [];
    for (const { table, column } of columns.filter((one) => one.type === 'text')) {
      const { rows } = await sql`
        select from ${sql.table(table)} where ${sql.ref(column)} in (select key from stored_files) limit 1`.execute(
        this.db,
      );
      if (rows.length > 0) holding.push(`${table}.${column}`);
    }
    expect(holding.filter((name) => !columnsOfFiles.includes(name))).toEqual([]);
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }
  private oneOf<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** An act on rows that are looked up when it runs, so that acts of one step may overlap. */
  private choose(): [string, Act] {
    const { context, db } = this;
    const who = this.oneOf(this.people) ?? '';
    const pick = this.random();
    const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(pick * list.length)];
    const waiting = async (kind: 'video' | 'photo' | 'thumbnail') =>
      one(
        await db
          .selectFrom('uploads')
          .selectAll()
          .where('owner_id', '=', who)
          .where('kind', '=', kind)
          .orderBy('key')
          .execute()
          .then((rows) => rows.filter(({ key }) => !this.importing.has(key))),
      )?.key ?? '';
    const content = async (table: 'reels' | 'posts' | 'stories') =>
      one(await db.selectFrom(table).select(['id', 'creator_id', 'media_key']).orderBy('id').execute());
    const sending = async () =>
      one(
        await db
          .selectFrom('resumable_uploads')
          .selectAll()
          .where('owner_id', '=', who)
          .where('answer', 'is', null)
          .orderBy('key')
          .execute(),
      )?.key ?? '';
    const target = async () => {
      const kind = one(['reel', 'post', 'story'] as const) ?? 'post';
      const row = await content(({ reel: 'reels', post: 'posts', story: 'stories' } as const)[kind]);
      return { kind, id: row?.id ?? newKey(), target: `${kind}:${row?.id}`, ownerId: row?.creator_id };
    };
    const send = async () => {
      const key = await sending();
      if (!key) return;
      await this.parts.write(Readable.from([Buffer.from('abcd')]), key, 0);
      await this.resumable.declare(key, 4);
    };
    const acts: Record<string, Act> = {
      photo: () => this.upload(who, 'photo'),
      'another photo': () => this.upload(who, 'photo'),
      video: () => this.upload(who, 'video'),
      thumbnail: () => this.upload(who, 'thumbnail'),
      import: () => this.import(who),
      begin: () =>
        this.resumable.begin(who, {
          kind: one(['reel', 'post', 'thumbnail']),
          bytes: pick < 0.5 ? undefined : 4,
        }),
      send,
      grow: async () => this.resumable.growTo(await sending(), 16 * 1024 * 1024),
      finish: async () => this.resumable.finish(await sending(), who),
      cancel: async () => {
        const key = await sending();
        if (key) await this.resumable.cancel(key);
      },
      post: async () =>
        publishPost(context, who, { fileName: await waiting('photo'), caption: '', description: '' }),
      story: async () => publishStory(context, who, { fileName: await waiting('photo'), statusText: '' }),
      reel: async () => {
        const thumbnail = pick < 0.7 ? await waiting('thumbnail') : '';
        const form = { videoKey: await waiting('video'), caption: '', creadit: '', category: [] };
        const thumbnillurl = thumbnail && `/media/${thumbnail}/thumbnail.webp`;
        return await publishReel(context, who, {
          ...form,
          thumbnillurl,
          ...(await this.source(form.videoKey)),
        });
      },
      ready: async () => {
        const reel = await content('reels');
        if (reel) await this.ready(reel.id, reel.media_key);
      },
      failed: async () => {
        const reel = await content('reels');
        if (reel) await giveUpReel(context, reel.id);
      },
      picture: async () => setPicture(context, who, await waiting('photo')),
      'no picture': () => removePhoto(context, who),
      captions: async () => {
        const reel = await content('reels');
        if (!reel) return;
        const file = await this.store.receive(Readable.from(['WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n']));
        const place = { reelId: reel.id, language: one(['hi', 'en']) ?? 'hi', callerId: reel.creator_id };
        await holding(file, () => setCaptions(context, place, file));
      },
      'no captions': async () => {
        const reel = await content('reels');
        if (reel)
          await removeCaptions(context, { reelId: reel.id, language: 'hi', callerId: reel.creator_id });
      },
      cover: async () => {
        const shown = db
          .selectFrom('reels')
          .select(['id', 'creator_id', 'cover_key'])
          .where('state', '=', 'ready')
          .where('deleted_at', 'is', null)
          .where('taken_down_at', 'is', null);
        const reel = one(await shown.orderBy('id').execute());
        if (!reel) return;
        const cover = { ...(await this.folder('poster.webp')), second: 1, placeholder: '' };
        await inTransaction(db, (trx) => putCover(trx, reel, cover, new Date(this.now)));
        if (reel.cover_key) await context.storage.remove(reel.cover_key);
      },
      'extra files': async () => {
        const { kind, id, ownerId } = await target();
        if (!ownerId || kind === 'reel') return;
        const made = await this.folder('64.avif');
        if (!(await noteExtraFiles(context, { kind, id, ownerId }, made)))
          await context.storage.remove(made.key);
      },
      'take down': async () =>
        takeDown(context, operator, {
          ...(await target()),
          what: 'content',
          rule: 'spam',
          reason: 'Not theirs',
        }),
      restore: async () => restoreContent(context, operator, (await target()).target),
      suspend: () => suspendPerson(context, operator, who, { rule: 'spam', reason: 'Spam' }),
      lift: () => restorePerson(context, operator, who),
      'delete a reel': async () => {
        const reel = await content('reels');
        if (reel) await deleteReel(context, reel.id, reel.creator_id);
      },
      'delete a post': async () => {
        const post = await content('posts');
        if (post) await deletePost(context, post.id, post.creator_id);
      },
      'delete a story': async () => {
        const story = await content('stories');
        if (story) await deleteStory(context, story.id, story.creator_id);
      },
      'delete the account': async () => {
        if (pick > 0.2) return;
        await deleteAccount(context, who, who);
        this.people = [...this.people.filter((id) => id !== who), await personIn(db, new Date(this.now))];
      },
      sweep: async () => {
        await deleteExpiredUploads(context);
        expect((await sweep(context)).quarantined).toBe(0);
      },
    };
    const name = this.oneOf(Object.keys(acts)) ?? '';
    return [name, acts[name] ?? (async () => undefined)];
  }

  /** Publishes a folder with one file. */
  private async folder(name: string): Promise<{ key: string; files: Record<string, number> }> {
    const key = newKey();
    await this.store.inWorkspace(async (folder) => {
      await writeFile(join(folder, name), 'abc');
      await this.store.publish(key, folder);
    });
    return { key, files: { [name]: 3 } };
  }

  private async upload(
    ownerId: string,
    kind: 'video' | 'photo' | 'thumbnail',
    isImported = false,
  ): Promise<string> {
    const received = await this.store.receive(Readable.from([Buffer.from(newKey())]));
    if (isImported) this.importing.add(received.key);
    return await holding(received, async (file) => {
      const arrived = { ownerId, file, now: new Date(this.now) };
      if (kind === 'video') {
        await file.store();
        await this.unlessGone(noteUpload(this.db, arrived, { kind }), file.key);
        return file.key;
      }
      const names = kind === 'photo' ? ['photo.jpg', 'small.webp', '64.webp'] : ['thumbnail.webp'];
      await this.store.inWorkspace(async (folder) => {
        for (const name of names) await writeFile(join(folder, name), 'abc');
        await this.store.publish(file.key, folder);
      });
      const files = Object.fromEntries(names.map((name) => [name, 3]));
      const facts = { placeholder: '', width: 64, height: 64, widths: [64] };
      const more = kind === 'photo' ? { kind, files, facts } : { kind, files };
      await this.unlessGone(noteUpload(this.db, arrived, more), file.key);
      return file.key;
    });
  }

  /** A person who is deleted in parallel leaves nothing. */
  private async unlessGone(noting: Promise<void>, key: string): Promise<void> {
    await noting.catch(async (error: unknown) => {
      await this.store.discard(key);
      await this.store.remove(key);
      throw error;
    });
  }

  private async import(person_id: string): Promise<void> {
    const upload_key = await this.upload(person_id, 'video', true);
    const thumbnail_key = await this.upload(person_id, 'thumbnail');
    const { key: copy_key, files } = await this.folder('video.mp4');
    const row = {
      upload_key,
      person_id,
      source_url: 'https://example.org/',
      title: '',
      copy_key,
      thumbnail_key,
    };
    await this.unlessGone(
      noteImport(this.db, { ...row, imported_at: new Date(this.now) }, { files, bytes: 32 }),
      copy_key,
    );
    this.importing.delete(upload_key);
  }

  private async source(uploadKey: string): Promise<{ sourceUrl?: string; isMine?: boolean }> {
    const row = await this.db
      .selectFrom('imports')
      .selectAll()
      .where('upload_key', '=', uploadKey)
      .executeTakeFirst();
    return row ? { sourceUrl: row.source_url, isMine: true } : {};
  }

  /** What processing does after the video is encoded. */
  private async ready(id: string, key: string): Promise<void> {
    const { state, deleted_at } = await this.db
      .selectFrom('reels')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (state !== 'processing' || deleted_at) return;
    const names = ['video.mp4', 'poster.webp', 'tile.webp', 'card.jpg', '360.mp4'];
    await this.store.inWorkspace(async (folder) => {
      for (const name of names) await writeFile(join(folder, name), 'abc');
      await this.store.publish(key, folder);
    });
    const files = Object.fromEntries(names.map((name) => [name, 3]));
    const renditions = [{ width: 360, height: 640, bitrate: 1, file: '360.mp4' }];
    const made = { placeholder: '', width: 360, height: 640, seconds: 1, renditions, files };
    const { storage } = this.context;
    await ((await makePublic(this.context, id, made)) ? storage.discard(key) : storage.remove(key));
  }
}

const lastPart = (file: string) => file.split('/').at(-1) ?? '';

/** A refusal, or an error that the API returns as one: a deleted account, an unknown id, a deadlock. */
const isAnswered = (error: unknown) =>
  error instanceof Refusal || ['23503', '22P02', '40P01'].includes((error as { code?: string }).code ?? '');
