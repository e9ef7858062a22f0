import type { Selectable, Transaction } from 'kysely';
import { limits } from '#contract/limits.ts';
import { retention } from '#contract/retention.ts';
import { type SentKind, sentKinds, unfinishedAtMost } from '#contract/uploads.ts';
import { photoFile, reelFiles, thumbnailFile } from '#server/media/file-names.ts';
import { sniff } from '#server/media/sniff.ts';
import type { Context } from '#server/platform/context.ts';
import type { SentAnswer, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { reservationStep } from '#server/platform/disk-space.ts';
import { sha256Of } from '#server/platform/files.ts';
import { newKey } from '#server/platform/ids.ts';
import { type Leases, openLeases } from '#server/platform/leases.ts';
import { fileEmpty, fileTooLarge, Refusal } from '#server/platform/refusal.ts';
import { holding, type ReceivedFile } from '#server/platform/storage.ts';
import { isKnownFile } from '../prints/known-files.ts';
import { dropFiles, registerBytes, registerFile, uploadGone } from '../stored-files/stored-files.ts';
import { mediaUrl } from '../stored-files/urls.ts';
import { acceptPhoto } from './photos.ts';
import * as queries from './resumable.queries.ts';
import type { Unpublished } from './unpublished.ts';
import { deleteUpload, findUpload } from './uploads.queries.ts';
import { type Accepted, acceptReelFile, thumbnailTooLarge } from './uploads.ts';

/** An upload that receives nothing for this long expires, together with the bytes that have arrived. */
const forgottenAfter = retention.unusedUploadHours * 60 * 60 * 1000;

/** What the client announces before the first byte of a file. */
export interface Announced {
  kind: string | null | undefined;
  /** Undefined if the client announces the length later. */
  bytes: number | undefined;
  /** SHA-256 in hex of the file from which this one was compressed, if it was. */
  original?: string | null | undefined;
}

/** Files that arrive in pieces (docs/decisions/0010-resumable-uploads.md). */
export interface Resumable {
  /** Registers a file that is about to be sent, or refuses it before its first byte; returns its key, also its name in the inbox. */
  begin(ownerId: string, announced: Announced): Promise<string>;
  /** Refreshes `touched_at`. For everybody but its owner the upload does not exist. */
  touch(key: string, ownerId: string): Promise<void>;
  /**
   * Locks a file, so that one request at a time writes to it, on any server; `wanted` is called when another one waits.
   * Returns the function that unlocks it, or undefined if it did not become free in time.
   */
  hold(key: string, signal: AbortSignal, wanted: () => void): Promise<(() => Promise<void>) | undefined>;
  /** While the length is unknown, `bytes` is the number counted so far, and `most` the limit of its kind. */
  find(
    key: string,
  ): Promise<
    { kind: SentKind; bytes: number; most: number; deferred: boolean; answered: boolean } | undefined
  >;
  /** Counts bytes of a file whose length is unknown towards its owner's quota, or refuses them. */
  growTo(key: string, bytes: number): Promise<void>;
  /** Sets the length of a file that began without one, or refuses it. */
  declare(key: string, bytes: number): Promise<void>;
  /** Checks a file that has arrived completely. A repeated call returns the same result. */
  finish(key: string, ownerId: string): Promise<Accepted>;
  /** Deletes an upload and the bytes that have arrived, unless it has been published. */
  cancel(key: string): Promise<void>;
}

const storedKind = { reel: 'video', thumbnail: 'thumbnail', post: 'photo', story: 'photo' } as const;

type Intake = Context<'db' | 'storage' | 'clock' | 'config'>;

export function openResumable(context: Intake, unpublished: Unpublished): Resumable {
  const { db, clock } = context;
  const leases = openLeases(db);
  /** Runs `note` if the owner's quota of unpublished files allows the file to grow to so many bytes. */
  async function growing(key: string, bytes: number, note: typeof queries.growTo): Promise<void> {
    const row = await queries.find(db, key);
    if (!row) throw uploadGone();
    const leave = await unpublished.enter(row.owner_id, { files: 0, bytes: Math.max(0, bytes - row.bytes) });
    try {
      await inTransaction(db, async (trx) => {
        const ownerId = await note(trx, key, bytes);
        if (ownerId) await registerBytes(trx, { ownerId, key }, bytes);
      });
    } finally {
      leave();
    }
  }
  return {
    async begin(ownerId, announced) {
      const { kind, bytes, deferred } = checked(announced);
      const original_sha256 = announced.original ? hashOf(announced.original) : null;
      const key = newKey();
      const now = clock();
      const row = {
        key,
        owner_id: ownerId,
        kind,
        bytes,
        deferred,
        original_sha256,
        created_at: now,
        touched_at: now,
      };
      const since = new Date(now.getTime() - forgottenAfter);
      const isNoted = await inTransaction(db, async (trx) => {
        if (!(await queries.insertIfFewer(trx, row, unfinishedAtMost, since))) return false;
        const stored = { ownerId, key, kind: storedKind[kind], bytes } as const;
        await registerFile(trx, { ...stored, state: 'arriving' }, now);
        return true;
      });
      if (isNoted) return key;
      throw new Refusal('too_many_uploads', { uploads: unfinishedAtMost });
    },
    async touch(key, ownerId) {
      if (!(await queries.touch(db, key, ownerId, clock()))) throw uploadGone();
    },
    hold: (key, signal, wanted) => leases.take(`write ${key}`, { signal, wanted }),
    async find(key) {
      const row = await queries.find(db, key);
      if (!row) return undefined;
      const { kind, bytes, deferred } = row;
      return { kind, bytes, most: deferred ? mostOf(kind) : bytes, deferred, answered: row.answer !== null };
    },
    growTo: (key, bytes) => growing(key, bytes, queries.growTo),
    async declare(key, bytes) {
      if (bytes === 0) throw fileEmpty();
      await growing(key, bytes, queries.setLength);
    },
    finish: (key, ownerId) => inTurn(leases, key, () => finish(context, key, ownerId)),
    cancel: (key) => inTurn(leases, key, () => cancel(context, key)),
  };
}

/** Serializes finishing and cancelling of one file. */
async function inTurn<T>(leases: Leases, key: string, work: () => Promise<T>): Promise<T> {
  const release = await leases.take(`finish ${key}`, { timeout: 60_000 });
  if (!release) throw new Refusal('unavailable', { what: 'checking' });
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Checks the limits before the first byte is sent. */
function checked({ kind, bytes }: Announced): { kind: SentKind; bytes: number; deferred: boolean } {
  const known = sentKinds.find((sent) => sent === kind);
  if (!known)
    throw new Refusal('invalid_input', { what: 'upload_kind', kinds: sentKinds.join(', ') }, 'kind');
  const maxBytes = mostOf(known);
  if (bytes === undefined) return { kind: known, bytes: Math.min(maxBytes, reservationStep), deferred: true };
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new Refusal('invalid_input', { what: 'upload_length' });
  if (bytes === 0) throw fileEmpty();
  if (bytes > maxBytes) throw known === 'thumbnail' ? thumbnailTooLarge() : fileTooLarge(maxBytes);
  return { kind: known, bytes, deferred: false };
}

function mostOf(kind: SentKind): number {
  return { ...limits, reel: limits.video, post: limits.photo, story: limits.photo }[kind].maxBytes;
}

function hashOf(hex: string): Buffer {
  if (/^[0-9a-f]{64}$/.test(hex)) return Buffer.from(hex, 'hex');
  throw new Refusal('invalid_input', { what: 'upload_original' }, 'original');
}

async function finish(context: Intake, key: string, ownerId: string): Promise<Accepted> {
  const { db, storage } = context;
  const row = await queries.find(db, key);
  if (row?.owner_id !== ownerId) throw uploadGone();
  const answer = row.answer ?? (await lookOver(context, row));
  if (!row.answer) {
    await inTransaction(db, (trx) => noteAnswer(trx, row, answer, context.clock()));
    if ('refused' in answer) {
      await storage.discard(key);
      await storage.remove(key);
    }
  }
  if ('file' in answer) return answer.file;
  throw Refusal.again(answer.refused);
}

type Sent = Selectable<Tables['resumable_uploads']>;

async function noteAnswer(
  trx: Transaction<Tables>,
  { key, owner_id: ownerId }: Sent,
  answer: SentAnswer,
  now: Date,
) {
  await queries.setAnswer(trx, key, answer);
  if ('refused' in answer) await dropFiles(trx, { ownerId, keys: [key] }, now);
}

/** Checks a complete file by the rules of its kind. Only a final answer ends the upload: after an error of the server it can be repeated. */
async function lookOver(context: Intake, row: Sent): Promise<SentAnswer> {
  const { storage } = context;
  const { key, bytes } = row;
  const before = await acceptedBefore(context, key);
  if (before) return { file: before };
  if (row.deferred || (await storage.arrived(key)) < bytes) throw new Refusal('upload_incomplete');
  const arrived = await storage.fetch(key);
  if (!arrived) throw uploadGone();
  // After an error of the server the bytes that have arrived stay, so that finishing can be repeated.
  const keeping = { ...context, storage: { ...storage, discard: async () => undefined } };
  try {
    const accepted = await holding(arrived, async () => {
      const file = { ...arrived, sha256: await sha256Of(arrived.path) };
      return await accept(keeping, row, file);
    });
    if (accepted.kind === 'image') await storage.discard(key);
    return { file: accepted };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return { refused: { code: error.code, params: error.params, field: error.field } };
  }
}

async function accept(context: Intake, row: Sent, file: ReceivedFile): Promise<Accepted> {
  const { owner_id: ownerId, kind, original_sha256: original } = row;
  if (kind === 'post' || kind === 'story')
    return { kind: 'image', ...(await acceptPhoto(context, ownerId, file)) };
  const isImage = (await sniff(file.path)).kind === 'image';
  if (kind === 'reel' && isImage) throw new Refusal('file_not_video', { what: 'picture' }, 'file');
  if (kind === 'thumbnail' && !isImage) throw new Refusal('file_not_image', { what: 'thumbnail' }, 'file');
  return await acceptReelFile(context, ownerId, file, original);
}

/** The file had been accepted when the server stopped, before the response was sent. */
async function acceptedBefore(
  { db, config }: Context<'db' | 'config'>,
  key: string,
): Promise<Accepted | undefined> {
  const upload = await findUpload(db, key);
  if (!upload) return undefined;
  const name = { video: reelFiles.video, thumbnail: thumbnailFile, photo: photoFile }[upload.kind];
  return {
    fileName: key,
    fileUrl: mediaUrl(config.mediaOrigin, key, name),
    kind: upload.kind === 'video' ? 'video' : 'image',
    duplicate: upload.kind !== 'thumbnail' && (await isKnownFile(db, upload, upload.owner_id)),
  };
}

async function cancel(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  key: string,
): Promise<void> {
  const isDropped = await inTransaction(db, async (trx) => {
    const uploader = await deleteUpload(trx, key);
    const sender = await queries.deleteOne(trx, key);
    // A remaining upload has been published: its files belong to a reel or photo now.
    if (await findUpload(trx, key)) return false;
    const ownerId = uploader ?? sender;
    if (ownerId) await dropFiles(trx, { ownerId, keys: [key] }, clock());
    return ownerId !== undefined;
  });
  if (!isDropped) return;
  await storage.discard(key);
  await storage.remove(key);
}
