import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit';
import type { SharedCounts } from '../platform/shared-counts.ts';

/** Lets @fastify/rate-limit count by what all processes have counted. Each route has a count of its own. */
export function sharedStore(counts: SharedCounts): FastifyRateLimitStoreCtor {
  const storeOf = (route: string): FastifyRateLimitStore => ({
    incr(key, done, window, max) {
      counts.add(`${route} ${key}`, window, max).then(
        ({ current, endsIn }) => done(null, { current, ttl: endsIn }),
        (error: Error) => done(error),
      );
    },
    child: (options) => {
      const { routeInfo } = options as unknown as { routeInfo: { method: string | string[]; url: string } };
      return storeOf(`${routeInfo.method} ${routeInfo.url}`);
    },
  });
  // The plugin asks for a class; what it makes is the store of no route in particular.
  return function Store(_options: FastifyRateLimitOptions) {
    return storeOf('');
  } as unknown as FastifyRateLimitStoreCtor;
}
