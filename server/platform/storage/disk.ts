import { constants, createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DiskSpace, unlimitedDiskSpace, within } from '../disk-space.ts';
import { isCode, makeFolder, undefinedIfMissing } from '../files.ts';
import { newKey } from '../ids.ts';
import type { Storage } from '../storage.ts';
import { entriesOf, workspacesIn, writeAll, writeNew } from './local-files.ts';

export interface DiskStorage extends Storage {
  kind: 'disk';
  /** The folder of public files, `ab/abcd…/<name>`. */
  mediaFolder: string;
}

/** Storage in a local folder. Fails if the folder is not writable. */
export async function openDiskStorage(
  folder: string,
  room: DiskSpace = unlimitedDiskSpace,
): Promise<DiskStorage> {
  const inbox = join(folder, 'inbox');
  const workspaces = join(folder, 'workspaces');
  const media = join(folder, 'media');
  for (const folder of [inbox, workspaces, media]) await makeFolder(folder, 0o750);
  // Keys are spread over subfolders of two letters, so that no folder becomes very large.
  const shelf = (key: string) => join(media, key.slice(0, 2));
  async function inInbox(key: string) {
    const facts = await undefinedIfMissing(stat(join(inbox, key)));
    // If the inbox itself is missing, its disk is not mounted, and this throws.
    if (!facts) await stat(inbox);
    return facts;
  }

  return {
    kind: 'disk',
    mediaFolder: media,
    ...workspacesIn(workspaces, room),
    async receive(stream, announced) {
      const key = newKey();
      const path = join(inbox, key);
      const written = await writeNew(path, stream, room, announced);
      let stored = false;
      return {
        key,
        path,
        ...written,
        async store() {
          stored = true;
        },
        async release() {
          if (!stored) await rm(path, { force: true });
        },
      };
    },
    async append(key, offset, stream) {
      const reservation = room.open();
      try {
        return await writeAt(join(inbox, key), offset, within(reservation)(stream));
      } finally {
        reservation.release();
      }
    },
    async arrived(key) {
      return (await inInbox(key))?.size ?? 0;
    },
    async fetch(key) {
      const path = join(inbox, key);
      const facts = await inInbox(key);
      // The file is on this disk already and stays until it is discarded.
      const nothing = async () => undefined;
      return facts && { key, path, bytes: facts.size, store: nothing, release: nothing };
    },
    discard: (key) => rm(join(inbox, key), { force: true }),
    async publish(key, made) {
      const target = join(shelf(key), key);
      // The parent folder is never created: if its disk is not mounted, files would be written to the wrong disk.
      await mkdir(shelf(key), { mode: 0o750 }).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw error;
      });
      try {
        await rename(made, target);
      } catch (error) {
        // An earlier attempt has published it; files of one key always come from the same source.
        if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
        await rm(made, { recursive: true, force: true });
      }
    },
    async add(key, name, path) {
      await undefinedIfMissing(rename(path, join(shelf(key), key, name)));
    },
    async find(key, name) {
      const path = join(shelf(key), key, name);
      const facts = await undefinedIfMissing(stat(path));
      return facts && { name, bytes: facts.size, changedAt: facts.mtime, open: () => createReadStream(path) };
    },
    remove: (key) => rm(join(shelf(key), key), { recursive: true, force: true }),
    async *list(prefix = '') {
      for await (const { key, bytes, changedAt } of everything()) {
        if (key.startsWith(prefix)) yield { key, size: bytes, modifiedAt: changedAt };
      }
      async function* everything() {
        if (mayBegin('inbox/', prefix))
          for (const file of await entriesOf(inbox)) yield { ...file, key: `inbox/${file.name}` };
        if (!mayBegin('media/', prefix)) return;
        for (const letters of await entriesOf(media)) {
          if (!letters.isFolder || !mayBegin(`media/${letters.name}`, prefix)) continue;
          for (const { name: key } of await entriesOf(join(media, letters.name))) {
            if (!mayBegin(`media/${key}/`, prefix)) continue;
            for (const file of await entriesOf(join(media, letters.name, key)))
              yield { ...file, key: `media/${key}/${file.name}` };
          }
        }
      }
    },
    close: async () => undefined,
  };
}

/** Whether a key in `folder` can begin with `prefix`. */
const mayBegin = (folder: string, prefix: string) => folder.startsWith(prefix) || prefix.startsWith(folder);

/** Writes a stream durably into a new or existing file; returns the end position. */
async function writeAt(path: string, offset: number, stream: AsyncIterable<Buffer>): Promise<number> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o640);
  let end = offset;
  try {
    for await (const chunk of stream) {
      await writeAll(file, chunk, end);
      end += chunk.length;
    }
    return end;
  } finally {
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
