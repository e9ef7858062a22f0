import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { BucketStorage, PublicFile } from '#server/platform/storage/bucket.ts';

/** The stored file that a request names. */
export interface AskedFile extends PublicFile {
  /** The name under which a browser saves the file, for a download. */
  saveAs: string | undefined;
}

/** Responds with a file, or with 404. */
export type Deliver = (request: FastifyRequest, reply: FastifyReply, wanted: AskedFile) => Promise<unknown>;

/** Headers that are passed from the request to the store, and from the store's response to the browser. */
const requestHeaders = ['range', 'if-range', 'if-none-match', 'if-modified-since'];
const responseHeaders = [
  'content-type',
  'content-length',
  'content-range',
  'etag',
  'last-modified',
  'cache-control',
];

/** Streams a file from the store; a closed connection stops it. */
export function passOn(bucket: BucketStorage): Deliver {
  return async (request, reply, { key, file }) => {
    const leaving = new AbortController();
    reply.raw.once('close', () => leaving.abort());
    const headers = Object.fromEntries(
      requestHeaders.flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const answer = await bucket
      .read(method, { key, file }, headers, leaving.signal)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) throw error;
      });
    if (!answer) return reply.hijack();
    if (answer.status === 404) {
      answer.body.resume();
      return reply.callNotFound();
    }
    reply.code(answer.status).header('accept-ranges', 'bytes');
    // Errors of a request are described in the store's own words, which must not be public.
    const isFile = answer.status !== 416;
    for (const name of isFile ? responseHeaders : ['content-range']) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    if (isFile) return reply.send(answer.body);
    answer.body.resume();
    return reply.send();
  };
}

/**
 * How long a signed URL is valid, and how long the same one is used, in seconds. Browsers request later parts of a video at the URL to
 * which they were redirected, so it must stay valid while the longest reel plays.
 */
const renewed = 60;
const holds = limits.video.maxSeconds + renewed;

/** Redirects to the store. For a minute all clients get the same URL, so that browsers and caches find the file again. */
export function redirectTo(bucket: BucketStorage, clock: Clock): Deliver {
  const passedOn = passOn(bucket);
  return async (request, reply, wanted) => {
    // A browser accepts captions from the page's own host only, without redirects.
    if (wanted.file.endsWith('.vtt')) return await passedOn(request, reply, wanted);
    const now = Math.floor(clock().getTime() / 1000);
    const signedAt = now - (now % renewed);
    const address = await bucket.signedAddress(wanted, new Date(signedAt * 1000), holds);
    return reply
      .header('cache-control', `private, max-age=${signedAt + renewed - now}`)
      .redirect(address, 302);
  };
}
