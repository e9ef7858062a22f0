import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { OutgoingFile } from '#contract/endpoint.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { MediaStore, Storage } from '#server/platform/storage.ts';

/** Copies a file of the media store to a local path. */
export async function fetchFile(storage: Storage, key: string, name: string, path: string): Promise<void> {
  const file = await storage.find(key, name);
  if (!file) throw new Error(`${key} has no ${name}`);
  await pipeline(file.open(), createWriteStream(path));
}

/** A stored file as the answer of a call; refuses if it is not there any more, or if there was none. */
export async function fileToShow(
  storage: MediaStore,
  named: { key: string; file: string } | null,
): Promise<OutgoingFile> {
  const stored = named && (await storage.find(named.key, named.file));
  if (!stored) throw notFound('gone');
  return { name: stored.name, bytes: stored.open() };
}
