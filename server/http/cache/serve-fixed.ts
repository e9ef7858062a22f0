import type { FastifyInstance } from 'fastify';
import type { RouteLimit } from '../limits/rate-limits.ts';
import { cachedOf } from './response-cache.ts';
import { sendCached } from './serve-cached.ts';

interface FixedResponse {
  path: string;
  headers: Record<string, string>;
  limit?: RouteLimit;
  body(): string;
}

/** Serves a response that is the same for everybody while the program runs. It is rendered and compressed once, at the first request. */
export function serveFixed(app: FastifyInstance, { path, headers, limit, body }: FixedResponse): void {
  const config = limit ? { limit } : {};
  let fixed: ReturnType<typeof cachedOf> | undefined;
  app.get(path, { schema: { hide: true }, config }, (request, reply) => {
    fixed ??= cachedOf({ status: 200, headers, body: Buffer.from(body()) });
    return sendCached(request, reply.headers(fixed.headers), fixed);
  });
}
