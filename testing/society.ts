import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import sharp from 'sharp';
import { acceptPhoto } from '#server/features/media/photos.ts';
import { publishPost } from '#server/features/posts/posts.ts';
import { publishStory } from '#server/features/stories/stories.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { holding } from '#server/platform/storage.ts';
import { contextAt } from './context.ts';

/** The database of a running program, for what no call offers yet. */
export async function databaseOf(dataDir: string): Promise<Kysely<Tables>> {
  return await openDatabase((await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim(), 2);
}

/** Uploads a plain picture by the ordinary rules; returns the name it is published by. */
export async function photoIn(
  db: Kysely<Tables>,
  dataDir: string,
  ownerId: string,
  hue: string,
  at: Date,
): Promise<string> {
  const storage = await openDiskStorage(dataDir);
  const bytes = await sharp({ create: { width: 640, height: 800, channels: 3, background: hue } })
    .jpeg()
    .toBuffer();
  const received = await storage.receive(Readable.from([bytes]));
  const { fileName } = await holding(received, (file) =>
    acceptPhoto({ ...contextAt(db, at), storage }, ownerId, file),
  );
  return fileName;
}

/** Publishes a plain picture; returns the post's id. */
export async function publishPicture(
  db: Kysely<Tables>,
  dataDir: string,
  creatorId: string,
  caption: string,
  at: Date,
  hue = '#7664e8',
): Promise<string> {
  const fileName = await photoIn(db, dataDir, creatorId, hue, at);
  const form = { fileName, caption, description: `${caption}, told at length.` };
  return (await publishPost(contextAt(db, at), creatorId, form)).id;
}

/** Makes a story of a plain picture. */
export async function publishStatus(
  db: Kysely<Tables>,
  dataDir: string,
  creatorId: string,
  statusText: string,
  at: Date,
): Promise<void> {
  const fileName = await photoIn(db, dataDir, creatorId, '#2f9c8f', at);
  await publishStory(contextAt(db, at), creatorId, { fileName, statusText });
}
