import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DiskSpace, openDiskSpace } from './disk-space.ts';
import { type DiskStorage, openDiskStorage } from './storage/disk.ts';
import { holding } from './storage.ts';

const megabyte = 1024 * 1024;
const capacity = 200 * megabyte;
const reserve = 69 * megabyte;

/** A simulated disk of 200 MB that holds only this folder. */
let folder: string;
let lowest: number;
let rooms: DiskSpace[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-room-'));
  lowest = capacity;
  rooms = [];
});
afterEach(async () => {
  for (const room of rooms) await room.close();
  await rm(folder, { recursive: true, force: true });
});

async function freeBytes(): Promise<number> {
  let used = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const facts = await stat(join(folder, name)).catch(() => undefined);
    if (facts?.isFile()) used += facts.size;
  }
  lowest = Math.min(lowest, capacity - used);
  return capacity - used;
}

/** Simulates one process that writes to the folder. */
async function openProcess(): Promise<DiskStorage> {
  const room = openDiskSpace(folder, reserve, freeBytes);
  rooms.push(room);
  return await openDiskStorage(folder, room);
}

async function* chunks(bytes: number) {
  for (let sent = 0; sent < bytes; sent += megabyte) yield Buffer.alloc(Math.min(megabyte, bytes - sent));
}

/** Stores a file; returns the result. */
async function send(storage: DiskStorage, bytes: number, announced?: number): Promise<string> {
  try {
    const stream = Readable.from(chunks(bytes), { objectMode: false });
    await holding(await storage.receive(stream, announced), (file) => file.store());
    return 'kept';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const inbox = () => readdir(join(folder, 'inbox'));

describe('a disk with 131 MB above the reserve', () => {
  it.each([
    ['announced', 60 * megabyte],
    ['of unknown length', undefined],
  ])(
    'six files of 60 MB at once, %s: the reserve is not entered, and those refused leave nothing',
    async (_how, announced) => {
      const storage = await openProcess();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => send(storage, 60 * megabyte, announced)),
      );
      await freeBytes();
      expect(lowest).toBeGreaterThanOrEqual(reserve);
      expect(new Set(answers)).toContain('storage_full');
      const kept = answers.filter((answer) => answer === 'kept').length;
      // An announced size is refused before it uses space that smaller files could use.
      if (announced) expect(kept).toBe(2);
      expect(await inbox()).toHaveLength(kept);
      expect(answers.filter((answer) => answer === 'storage_full')).toHaveLength(6 - kept);
    },
  );

  it('two processes in one folder never reserve the same bytes', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        send(place % 2 ? one : other, 60 * megabyte, place % 4 < 2 ? 60 * megabyte : undefined),
      ),
    );
    await freeBytes();
    expect(lowest).toBeGreaterThanOrEqual(reserve);
    expect(await inbox()).toHaveLength(answers.filter((answer) => answer === 'kept').length);
  });

  it('chunks are refused before they use the reserve, and arrived bytes stay', async () => {
    const storage = await openProcess();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        storage.append(name.repeat(32), 0, Readable.from(chunks(60 * megabyte), { objectMode: false })).then(
          () => 'kept',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    await freeBytes();
    expect(lowest).toBeGreaterThanOrEqual(reserve);
    expect(answers).toContain('storage_full');
    expect(await storage.arrived('a'.repeat(32))).toBeGreaterThan(0);
  });

  it('a growing workspace is counted, and aborted when the disk is full', async () => {
    const storage = await openProcess();
    expect(await send(storage, 100 * megabyte)).toBe('kept');
    const making = storage.inWorkspace(async (made, full) => {
      for (let file = 0; ; file += 1) {
        full.throwIfAborted();
        await writeFile(join(made, `${file}`), Buffer.alloc(megabyte));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    await expect(making).rejects.toMatchObject({ code: 'storage_full', status: 507 });
    expect(lowest).toBeGreaterThanOrEqual(reserve);
    expect(await readdir(join(folder, 'workspaces'))).toEqual([]);
  });

  it('released space can be reserved again', async () => {
    const room = openDiskSpace(folder, reserve, freeBytes);
    rooms.push(room);
    const first = room.open();
    await first.cover(131 * megabyte - 1000);
    await expect(room.open().cover(megabyte)).rejects.toMatchObject({ code: 'storage_full' });
    await expect(room.check(megabyte)).rejects.toMatchObject({ code: 'storage_full' });
    first.release();
    await room.open().cover(100 * megabyte);
  });

  it('reservations of a dead process expire a minute after its last renewal', async () => {
    const dead = openDiskSpace(folder, reserve, freeBytes);
    await dead.open().cover(120 * megabyte);
    const [entry = ''] = await readdir(join(folder, 'reservations'));
    const room = openDiskSpace(folder, reserve, freeBytes);
    rooms.push(room, dead);
    await expect(room.open().cover(60 * megabyte)).rejects.toMatchObject({ code: 'storage_full' });
    const past = new Date(Date.now() - 61_000);
    await utimes(join(folder, 'reservations', entry), past, past);
    await room.open().cover(60 * megabyte);
  });
});
