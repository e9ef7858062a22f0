import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedStorage, openEmptyStorage } from '#testing/servers/storages.ts';
import { sha256Of } from '../files.ts';
import { newKey } from '../ids.ts';
import { holding, type Storage, type StoredObject } from '../storage.ts';

/*
 * The contract of storage that all rules rely on, on a disk and in a bucket. `one` and `other` are two processes with
 * the same store.
 */
describe.each(['disk', 's3'] as const)('storage (%s)', (kind) => {
  let opened: OpenedStorage;
  let one: Storage;
  let other: Storage;
  beforeAll(async () => {
    opened = await openEmptyStorage(kind);
    ({ one, other } = opened);
  });
  afterAll(() => opened.close());

  const stream = (bytes: Uint8Array) => Readable.from([bytes]);
  /** A stream that is interrupted after these bytes. */
  const broken = (bytes: Uint8Array) =>
    Readable.from(
      (function* () {
        yield bytes;
        throw new Error('the connection was lost');
      })(),
    );
  const listed = async (prefix?: string) => {
    const files: StoredObject[] = [];
    for await (const file of other.list(prefix)) files.push(file);
    return files;
  };
  const keysOf = async (prefix: string) => (await listed(prefix)).map(({ key }) => key.split('/')[1]);
  async function fetched(key: string, storage = other): Promise<Buffer | undefined> {
    return await holding(await storage.fetch(key), async (file) => file && (await readFile(file.path)));
  }
  async function publish(key: string, files: Record<string, string>, storage = one): Promise<void> {
    await storage.inWorkspace(async (folder) => {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      await storage.publish(key, folder);
    });
  }
  async function found(key: string, name: string): Promise<string | undefined> {
    const file = await other.find(key, name);
    return file && (await buffer(file.open())).toString();
  }

  describe('a received file', () => {
    it('is hashed while it is received, and available to every process after it is stored', async () => {
      const bytes = randomBytes(300_000);
      const file = await one.receive(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]));
      const { key } = file;
      expect(file.bytes).toBe(bytes.length);
      expect(file.sha256).toEqual(await sha256Of(file.path));
      await file.store();
      await file.release();
      expect(await fetched(key)).toEqual(bytes);
      expect(await other.arrived(key)).toBe(bytes.length);
      await other.discard(key);
      expect(await fetched(key, one)).toBeUndefined();
      expect(await keysOf('inbox/')).not.toContain(key);
    });

    it('is deleted on release if it was not stored', async () => {
      const { key, release } = await one.receive(stream(randomBytes(5000)));
      await release();
      expect(await fetched(key)).toBeUndefined();
      expect(await keysOf('inbox/')).not.toContain(key);
      expect(await opened.workspaces()).toEqual([]);
    });

    it('leaves nothing behind if its stream is interrupted', async () => {
      const before = await keysOf('');
      await expect(one.receive(broken(randomBytes(5000)))).rejects.toThrow('the connection was lost');
      expect(await keysOf('')).toEqual(before);
      expect(await opened.workspaces()).toEqual([]);
    });
  });

  describe('a file that is sent in chunks', () => {
    it('is accepted by any process, and is one file', async () => {
      const key = newKey();
      const bytes = randomBytes(2_500_000);
      expect(await one.arrived(key)).toBe(0);
      expect(await one.append(key, 0, stream(bytes.subarray(0, 10)))).toBe(10);
      expect(await other.append(key, 10, stream(bytes.subarray(10, 1_200_000)))).toBe(1_200_000);
      expect(await one.arrived(key)).toBe(1_200_000);
      expect(await one.append(key, 1_200_000, stream(bytes.subarray(1_200_000)))).toBe(bytes.length);
      expect(await fetched(key)).toEqual(bytes);
      expect(await opened.workspaces()).toEqual([]);
    });

    it('keeps the bytes before an interruption, and continues there', async () => {
      const key = newKey();
      const bytes = randomBytes(40_000);
      await expect(one.append(key, 0, broken(bytes.subarray(0, 30_000)))).rejects.toThrow(
        'the connection was lost',
      );
      expect(await other.arrived(key)).toBe(30_000);
      await other.append(key, 30_000, stream(bytes.subarray(30_000)));
      expect(await fetched(key)).toEqual(bytes);
    });

    it('has the same content when chunks arrive twice and concurrently', async () => {
      const key = newKey();
      const bytes = randomBytes(3_000_000);
      const send = (storage: Storage, from: number, to: number) =>
        storage.append(key, from, stream(bytes.subarray(from, to)));
      await send(one, 0, 1_100_000);
      await Promise.all([
        send(one, 1_100_000, 2_000_000),
        send(other, 1_100_000, 3_000_000),
        send(other, 0, 1_500_000),
        send(one, 1_100_000, 1_200_000),
      ]);
      expect(await one.arrived(key)).toBe(bytes.length);
      expect(await fetched(key)).toEqual(bytes);
      await holding(await one.fetch(key), async (file) => await file?.store());
      expect(await fetched(key)).toEqual(bytes);
      // Late bytes of a process that was paused change nothing.
      await other.append(key, 0, stream(bytes.subarray(0, 2_000_000)));
      expect(await fetched(key)).toEqual(bytes);
      await one.discard(key);
      expect(await keysOf('inbox/')).not.toContain(key);
    });

    it('has few objects when it is sent byte by byte', async () => {
      const key = newKey();
      const bytes = randomBytes(20);
      for (let at = 0; at < bytes.length; at += 1)
        await one.append(key, at, stream(bytes.subarray(at, at + 1)));
      expect(await fetched(key)).toEqual(bytes);
      expect((await keysOf('inbox/')).filter((name) => name === key)).toHaveLength(1);
    });
  });

  describe('a published folder', () => {
    const files = {
      'video.mp4': 'film',
      'poster.webp': 'picture',
      'tile.webp': 'small',
      '1080.webp': 'large',
    };

    it('is visible to every process, and deleted after one or two removals', async () => {
      const key = newKey();
      await publish(key, files);
      for (const [name, text] of Object.entries(files)) expect(await found(key, name)).toBe(text);
      expect(await found(key, 'other.mp4')).toBeUndefined();
      const { changedAt } = (await other.find(key, 'video.mp4')) ?? {};
      expect(Math.abs(Date.now() - (changedAt?.getTime() ?? 0))).toBeLessThan(10 * 60_000);
      await other.remove(key);
      await other.remove(key);
      for (const name of Object.keys(files)) expect(await found(key, name)).toBeUndefined();
      expect(await keysOf('media/')).not.toContain(key);
    });

    it('gets a further file, once or twice, which is deleted with it', async () => {
      const key = newKey();
      await publish(key, files);
      for (const storage of [one, other])
        await storage.inWorkspace(async (folder) => {
          await writeFile(join(folder, 'made'), 'a card');
          await storage.add(key, 'card.jpg', join(folder, 'made'));
        });
      expect(await found(key, 'card.jpg')).toBe('a card');
      expect((await other.find(key, 'card.jpg'))?.bytes).toBe('a card'.length);
      for (const [name, text] of Object.entries(files)) expect(await found(key, name)).toBe(text);
      await other.remove(key);
      expect(await keysOf('media/')).not.toContain(key);
    });

    it('does not change when it is published again', async () => {
      const key = newKey();
      await publish(key, files);
      await publish(key, { ...files, 'video.mp4': 'another' }, other);
      expect(await found(key, 'video.mp4')).toBe('film');
      expect(await opened.workspaces()).toEqual([]);
    });
  });

  it('lists all files, or those with a prefix, with size and time', async () => {
    const [key, waiting] = [newKey(), newKey()];
    await publish(key, { 'video.mp4': 'film', 'poster.webp': 'a picture', 'tile.webp': '', 'a.jpg': 'x' });
    await one.append(waiting, 0, stream(randomBytes(77)));
    const all = await listed();
    expect(new Set(all.map((file) => file.key)).size).toBe(all.length);
    const mine = await listed(`media/${key}/`);
    expect(Object.fromEntries(mine.map(({ key: path, size }) => [path, size]))).toEqual({
      [`media/${key}/video.mp4`]: 4,
      [`media/${key}/poster.webp`]: 9,
      [`media/${key}/tile.webp`]: 0,
      [`media/${key}/a.jpg`]: 1,
    });
    for (const file of mine) expect(all).toContainEqual(file);
    const [piece] = await listed(`inbox/${waiting}`);
    expect(piece).toMatchObject({ size: 77, modifiedAt: expect.any(Date) });
    expect(await listed('nothing/')).toEqual([]);
  });

  it('removes workspaces of killed processes', async () => {
    await one.inWorkspace(async () => {
      await one.sweepWorkspaces(new Date(Date.now() - 60 * 60_000));
      expect(await opened.workspaces()).toHaveLength(1);
      await one.sweepWorkspaces(new Date(Date.now() + 60_000));
      expect(await opened.workspaces()).toEqual([]);
    });
  });
});
