import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { BucketStorage, PublicFile } from '#server/platform/storage/bucket.ts';

/** A stored file that is asked for. */
export interface AskedFile extends PublicFile {
  /** Under which name a browser keeps it, where that is wanted. */
  saveAs: string | undefined;
}

/** Answers with a file, or says that it is not there. */
export type Deliver = (request: FastifyRequest, reply: FastifyReply, wanted: AskedFile) => Promise<unknown>;

/** What the store is told of a request, and a browser of the store's answer. */
const passedHeaders = ['range', 'if-range', 'if-none-match', 'if-modified-since'];
const told = ['content-type', 'content-length', 'content-range', 'etag', 'last-modified', 'cache-control'];

/** Passes a file on as it comes; whoever stops listening ends it. */
export function passOn(bucket: BucketStorage): Deliver {
  return async (request, reply, { key, file }) => {
    const leaving = new AbortController();
    reply.raw.once('close', () => leaving.abort());
    const headers = Object.fromEntries(
      passedHeaders.flatMap((name) => {
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
    // What goes wrong with a request is said in the store's own words, which are nobody's business.
    const isFile = answer.status !== 416;
    for (const name of isFile ? told : ['content-range']) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    if (isFile) return reply.send(answer.body);
    answer.body.resume();
    return reply.send();
  };
}

/**
 * How long a signed address is valid, and how often another one is signed, in seconds. Browsers ask for the later parts of a
 * video at the address to which they were redirected, so it must stay valid while the longest reel plays.
 */
const renewed = 60;
const holds = limits.video.maxSeconds + renewed;

/** Redirects to the store. For a minute everybody gets the same address, so that browsers and caches find what they have. */
export function redirectTo(bucket: BucketStorage, clock: Clock): Deliver {
  const passedOn = passOn(bucket);
  return async (request, reply, wanted) => {
    // A browser takes captions from the page's own host only, and follows them nowhere.
    if (wanted.file.endsWith('.vtt')) return await passedOn(request, reply, wanted);
    const now = Math.floor(clock().getTime() / 1000);
    const signedAt = now - (now % renewed);
    const address = await bucket.signedAddress(wanted, new Date(signedAt * 1000), holds);
    return reply
      .header('cache-control', `private, max-age=${signedAt + renewed - now}`)
      .redirect(address, 302);
  };
}
