import { Readable } from 'node:stream';
import { limits } from '#contract/limits.ts';
import type { Inbox, ReceivedFile } from '#server/platform/storage.ts';
import type { GuardedFetch, ResponseLimits } from './guarded-fetch.ts';

/** A video may be as large as an upload. A response that is too slow is aborted. */
const videoLimits: ResponseLimits = {
  bytes: limits.video.maxBytes,
  milliseconds: 3 * 60_000,
  minimum: { bytes: 128 * 1024, milliseconds: 10_000 },
};
/** Size of one range request: video hosts throttle requests for large files. */
const rangeBytes = 10 * 1024 * 1024;

/**
 * Streams a video to the disk. An interrupted, too large or too slow download leaves no file. Disk space for the
 * whole video is reserved as soon as its host has sent the length.
 */
export async function download(
  fetch: GuardedFetch,
  inbox: Inbox,
  address: string,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const request = async (at: number) => {
    const headers = { range: `bytes=${at}-${at + rangeBytes - 1}`, 'accept-encoding': 'identity' };
    const response = await fetch(address, { headers, signal }, videoLimits);
    if (!response.body) throw new Error(`the video's host answered ${response.status} and nothing more`);
    return { status: response.status, headers: response.headers, body: response.body };
  };
  const first = await request(0);
  const isWhole = first.status === 200;
  const total = isWhole ? Number(first.headers.get('content-length') ?? 0) : wholeLength(first, 0);
  if (total > limits.video.maxBytes)
    throw new Error(`the video is larger than ${limits.video.maxBytes} bytes`);
  const bytes = isWhole ? first.body : piecesOf(first, total, request);
  return await inbox.receive(Readable.from(bytes, { objectMode: false }), total || undefined);
}

type Piece = Pick<Response, 'status' | 'headers'> & { body: NonNullable<Response['body']> };

async function* piecesOf(first: Piece, total: number, request: (at: number) => Promise<Piece>) {
  let at = 0;
  for (let next = first; ; next = await request(at)) {
    if (wholeLength(next, at) !== total) throw new Error('the video has changed meanwhile');
    const before = at;
    for await (const chunk of next.body) {
      at += chunk.byteLength;
      yield chunk;
    }
    if (at === before) throw new Error('the piece is empty');
    if (at >= total) return;
  }
}

/** The length of the whole file, from a response that holds the next full range. */
function wholeLength({ status, headers }: Pick<Response, 'status' | 'headers'>, at: number): number {
  const [, from, to, whole] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  const total = Number(whole);
  const isNext = Number(from) === at && Number(to) === Math.min(at + rangeBytes, total) - 1;
  if (status !== 206 || !isNext)
    throw new Error(`the video's host answered ${status}, and not the piece asked for`);
  if (total > limits.video.maxBytes)
    throw new Error(`the video is larger than ${limits.video.maxBytes} bytes`);
  return total;
}
