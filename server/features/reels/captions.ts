import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TextDecoder } from 'node:util';
import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Reel } from '#contract/reels.ts';
import { type CaptionsFault, type Cue, readCaptions, writeCaptions } from '#contract/webvtt.ts';
import { captionsFile } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { sizesIn } from '#server/platform/files.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { ReceivedFile } from '#server/platform/storage.ts';
import { learnWords } from '../search-index/search-index.ts';
import { dropFiles, registerFile } from '../stored-files/stored-files.ts';
import * as queries from './captions.queries.ts';
import { lockOwnReel } from './own.ts';
import { findReel } from './reels.queries.ts';
import { indexReel } from './searched.ts';
import { captionTracksOf } from './show.ts';

/** A reel, a language, and the caller who changes its captions. */
interface CaptionsTarget {
  reelId: string;
  language: string;
  callerId: string;
}

const { captions: max, video } = limits;

function captionsInvalid({ fault: what, line }: CaptionsFault): Refusal {
  switch (what) {
    case 'late':
      return new Refusal('captions_invalid', { what, line, minutes: video.maxSeconds / 60 }, 'file');
    case 'long':
      return new Refusal('captions_invalid', { what, line, most: max.characters }, 'file');
    case 'many':
      return new Refusal('captions_invalid', { what, most: max.cues }, 'file');
    case 'header':
    case 'none':
      return new Refusal('captions_invalid', { what }, 'file');
    default:
      return new Refusal('captions_invalid', { what, line }, 'file');
  }
}

/**
 * Stores captions for a reel, and replaces those of the same language. The stored file is written by the server from
 * the parsed text and times (decisions §7). A refused file leaves nothing behind.
 */
export async function setCaptions(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  target: CaptionsTarget,
  file: ReceivedFile,
): Promise<Reel['captionTracks']> {
  const now = clock();
  const language = canonical(target.language);
  const replaced = await (async () => {
    try {
      const cues = cuesOf(await readFile(file.path));
      const files = await storage.inWorkspace(async (folder) => {
        await writeFile(join(folder, captionsFile(language)), writeCaptions(cues), { flush: true });
        const made = await sizesIn(folder);
        await storage.publish(file.key, folder);
        return made;
      });
      return await put(db, { ...target, language }, { key: file.key, cues, files }, now);
    } catch (error) {
      await storage.remove(file.key);
      throw error;
    }
  })();
  // If the process crashes here, the sweeper removes the file.
  if (replaced) await storage.remove(replaced);
  return await tracksOf(db, target.reelId, config.mediaOrigin);
}

/** Removes the captions of one language from a reel. */
export async function removeCaptions(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  { reelId, callerId, ...target }: CaptionsTarget,
): Promise<Reel['captionTracks']> {
  const language = canonical(target.language);
  const removed = await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const reel = await lockOwnReel(trx, reelId, callerId, 'captions');
    const caption = (await queries.listCaptions(trx, reel)).find((row) => row.language === language);
    await queries.deleteCaptions(trx, reel, language);
    await indexReel(trx, reel, clock());
    if (caption) await dropFiles(trx, { ownerId: callerId, keys: [caption.key] }, clock());
    return caption?.key;
  });
  if (removed) await storage.remove(removed);
  return await tracksOf(db, reelId, config.mediaOrigin);
}

/** Returns the key of the replaced file, if any. */
async function put(
  db: Kysely<Tables>,
  { reelId, language, callerId }: CaptionsTarget,
  { key, cues, files }: { key: string; cues: readonly Cue[]; files: Record<string, number> },
  now: Date,
): Promise<string | undefined> {
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const reel = await lockOwnReel(trx, reelId, callerId, 'captions');
    if (reel.taken_down_at) throw new Refusal('not_allowed', { what: 'captions' });
    const all = await queries.listCaptions(trx, reel);
    const others = all.filter((row) => row.language !== language);
    if (others.length >= max.languages) throw new Refusal('too_many_captions', { most: max.languages });
    const words = await learnWords(trx, cues.map(({ text }) => text).join('\n'));
    const row = { language, key, cues: cues.length, words, set_at: now };
    await queries.putCaptions(trx, { ...row, reel_id: reelId, creator_id: callerId });
    await indexReel(trx, reel, now);
    const [bytes = 0] = Object.values(files);
    const stored = { ownerId: callerId, key, kind: 'captions', files, bytes } as const;
    await registerFile(trx, { ...stored, state: 'in_use' }, now);
    const replaced = all.find((row) => row.language === language)?.key;
    if (replaced) await dropFiles(trx, { ownerId: callerId, keys: [replaced] }, now);
    return replaced;
  });
}

async function tracksOf(db: Kysely<Tables>, reelId: string, mediaOrigin: string) {
  const row = await findReel(db, reelId, undefined);
  if (!row) throw notFound('reel');
  return captionTracksOf(row, mediaOrigin);
}

/** The canonical spelling of a language tag. */
function canonical(tag: string): string {
  return Intl.getCanonicalLocales(tag)[0] ?? tag;
}

function cuesOf(bytes: Buffer): Cue[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('captions_invalid', { what: 'not_text' }, 'file');
  }
  const read = readCaptions(text);
  if ('fault' in read) throw captionsInvalid(read);
  return read.cues;
}
