import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Fault, S3Server } from '#testing/servers/s3/server.ts';
import { type OpenedStorage, openEmptyStorage } from '#testing/servers/storages.ts';
import { newKey } from '../ids.ts';
import { holding, type Storage } from '../storage.ts';
import { openStorage } from './open.ts';

/* A store over the network fails, with or without an error. */
let opened: OpenedStorage;
let storage: Storage;
let s3: S3Server;
beforeAll(async () => {
  opened = await openEmptyStorage('s3');
  storage = opened.one;
  s3 = opened.s3 as S3Server;
});
afterAll(() => opened.close());
afterEach(() => s3.heal());

const stream = (bytes: Uint8Array) => Readable.from([bytes]);
const unavailable = {
  code: 'unavailable',
  status: 503,
  message: 'We cannot reach our file storage right now. Please try again in a minute.',
  retryAfter: 30,
};
const names = async () => {
  const keys: string[] = [];
  for await (const { key } of opened.other.list()) keys.push(key);
  return keys;
};
async function publish(key: string): Promise<void> {
  await storage.inWorkspace(async (folder) => {
    for (const name of ['video.mp4', 'poster.webp', 'tile.webp']) await writeFile(join(folder, name), name);
    await storage.publish(key, folder);
  });
}
async function keep(bytes: Uint8Array): Promise<string> {
  return await holding(await storage.receive(stream(bytes)), async (file) => {
    await file.store();
    return file.key;
  });
}
async function fetch(key: string): Promise<number | undefined> {
  return await holding(await storage.fetch(key), async (file) => file?.bytes);
}

describe.each<[string, Fault]>([
  ['is broken', { kind: 'status', status: 500 }],
  ['is too busy', { kind: 'status', status: 503 }],
  ['refuses us', { kind: 'status', status: 403 }],
  ['is down', { kind: 'down' }],
  ['says nothing', { kind: 'silent' }],
])('if the store %s', (_how, fault) => {
  it('every call fails with one sentence within the timeout, and leaves nothing behind', async () => {
    const key = await keep(randomBytes(1000));
    const shown = newKey();
    await publish(shown);
    const before = await names();
    s3.fail(fault);
    const calls = [
      keep(randomBytes(10)),
      storage.append(newKey(), 0, stream(randomBytes(10))),
      storage.arrived(key),
      fetch(key),
      storage.discard(key),
      publish(newKey()),
      storage.find(shown, 'video.mp4'),
      storage.inWorkspace(async (folder) => {
        await writeFile(join(folder, 'made'), 'a card');
        await storage.add(shown, 'card.jpg', join(folder, 'made'));
      }),
      storage.remove(shown),
      names(),
    ];
    for (const { status, ...ended } of await Promise.allSettled(calls))
      expect({ status, ...ended }).toMatchObject({ status: 'rejected', reason: unavailable });
    expect(await opened.workspaces()).toEqual([]);
    s3.heal();
    expect(await names()).toEqual(before);
    expect(await fetch(key)).toBe(1000);
  });
});

describe('a broken response', () => {
  it.each<Fault['kind']>(['cut', 'short'])('(%s) is never accepted as complete', async (kind) => {
    const bytes = randomBytes(200_000);
    const key = await keep(bytes);
    s3.fail({ kind, methods: ['GET'] });
    await expect(fetch(key)).rejects.toMatchObject(unavailable);
    expect(await opened.workspaces()).toEqual([]);
    s3.fail({ kind, methods: ['GET'], prefix: 'inbox/', times: 2 });
    expect(await fetch(key)).toBe(bytes.length);
  });

  it('to a list request is never read as a complete list', async () => {
    await keep(randomBytes(10));
    const whole = await names();
    for (const kind of ['cut', 'short'] as const) {
      s3.fail({ kind, methods: ['GET'] });
      await expect(names()).rejects.toMatchObject(unavailable);
      s3.fail({ kind, methods: ['GET'], times: 2 });
      expect(await names()).toEqual(whole);
    }
  });

  it('while a file is sent to a client aborts the transfer', async () => {
    const key = newKey();
    await publish(key);
    const found = await storage.find(key, 'video.mp4');
    s3.fail({ kind: 'cut', methods: ['GET'] });
    await expect(buffer((found as { open(): Readable }).open())).rejects.toThrow();
  });
});

it('a transient failure is retried, and each object is written once and complete', async () => {
  const bytes = randomBytes(50_000);
  for (const fault of [
    { kind: 'down', times: 2 },
    { kind: 'status', status: 500, times: 2 },
    { kind: 'status', status: 429, times: 2 },
  ] as const) {
    s3.fail({ ...fault, methods: ['PUT'] });
    const key = await keep(bytes);
    expect(await fetch(key)).toBe(bytes.length);
    s3.fail({ ...fault, methods: ['DELETE'] });
    await storage.discard(key);
    expect(await fetch(key)).toBeUndefined();
  }
});

it('a partly published folder is complete after it is published again', async () => {
  const key = newKey();
  s3.fail({ kind: 'status', status: 500, prefix: `media/${key}/tile` });
  await expect(publish(key)).rejects.toMatchObject(unavailable);
  s3.heal();
  await publish(key);
  expect((await names()).filter((name) => name.includes(key))).toHaveLength(3);
  expect(
    (await buffer((await storage.find(key, 'tile.webp'))?.open() ?? stream(randomBytes(0)))).toString(),
  ).toBe('tile.webp');
});

describe('at its start', () => {
  const open = async (settings: Record<string, string>) => {
    const warned: Error[] = [];
    const config = readConfig({ ...s3.settings, S3_TIMEOUT_SECONDS: '1', ...settings });
    const started = await openStorage(config.storage, config.dataDir, (error) => warned.push(error));
    await started.close();
    return warned;
  };
  let inFolder: { DATA_DIR: string };
  beforeAll(async () => {
    inFolder = { DATA_DIR: await mkdtemp(join(tmpdir(), 'jhalak-start-')) };
  });
  afterAll(() => rm(inFolder.DATA_DIR, { recursive: true }));

  it.each([
    ['an unknown bucket', { S3_BUCKET: 'nobodys' }, 404],
    ['an unknown key', { S3_ACCESS_KEY: 'NOBODY' }, 403],
    ['a wrong secret', { S3_SECRET_KEY: 'wrong' }, 403],
    ['a wrong region', { S3_REGION: 'eu-west-1' }, 403],
  ])('%s ends the program with one sentence', async (_what, settings, status) => {
    const { S3_BUCKET: bucket } = { ...s3.settings, ...settings } as Record<string, string>;
    await expect(open({ ...inFolder, ...settings })).rejects.toThrow(
      `The bucket ${bucket} at ${s3.origin} cannot be used: the store answered ${status}.`,
    );
  });

  it('a store that does not respond causes only a warning', async () => {
    expect(await open(inFolder)).toEqual([]);
    s3.fail({ kind: 'down' });
    expect(await open(inFolder)).toHaveLength(1);
    s3.fail({ kind: 'status', status: 503 });
    expect(await open(inFolder)).toHaveLength(1);
  });
});
