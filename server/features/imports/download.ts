import { Readable } from 'node:stream';
import { limits } from '../../../contract/limits.ts';
import type { Inbox, ReceivedFile } from '../../platform/storage.ts';
import type { Bounds, GuardedFetch } from './guarded-fetch.ts';

/** A video may be as large as an upload; a site that trickles it is given up. */
const videoBounds: Bounds = {
  bytes: limits.video.maxBytes,
  milliseconds: 3 * 60_000,
  least: { bytes: 128 * 1024, milliseconds: 10_000 },
};
/** Video hosts slow down whoever asks for a large file whole. */
const piece = 10 * 1024 * 1024;

/** Streams a video to the disk. What breaks off, is too large or too slow leaves nothing there. */
export async function download(
  fetch: GuardedFetch,
  inbox: Inbox,
  address: string,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  return await inbox.receive(Readable.from(piecesOf(fetch, address, signal), { objectMode: false }));
}

async function* piecesOf(fetch: GuardedFetch, address: string, signal: AbortSignal) {
  let at = 0;
  let total = Number.POSITIVE_INFINITY;
  while (at < total) {
    const headers = { range: `bytes=${at}-${at + piece - 1}`, 'accept-encoding': 'identity' };
    const response = await fetch(address, { headers, signal }, videoBounds);
    if (!response.body) throw new Error(`the video's host answered ${response.status} and nothing more`);
    if (at === 0 && response.status === 200) {
      yield* response.body;
      return;
    }
    total = wholeLength(response, at);
    const before = at;
    for await (const chunk of response.body) {
      at += chunk.byteLength;
      yield chunk;
    }
    if (at === before) throw new Error('the piece is empty');
  }
}

/** How long the whole file is, by an answer that holds the next full piece of it. */
function wholeLength({ status, headers }: Response, at: number): number {
  const [, from, to, whole] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  const total = Number(whole);
  const isNext = Number(from) === at && Number(to) === Math.min(at + piece, total) - 1;
  if (status !== 206 || !isNext)
    throw new Error(`the video's host answered ${status}, and not the piece asked for`);
  if (total > limits.video.maxBytes)
    throw new Error(`the video is larger than ${limits.video.maxBytes} bytes`);
  return total;
}
