import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit';
import type { DistributedRateLimit } from '../platform/distributed-rate-limit.ts';

/** A store for @fastify/rate-limit that uses the counters of all processes. rate-limits.ts makes the keys. */
export function distributedStore(counts: DistributedRateLimit): FastifyRateLimitStoreCtor {
  const storeOf = (): FastifyRateLimitStore => ({
    incr(key, done, window, max) {
      counts.add(key, window, max).then(
        ({ current, endsIn }) => done(null, { current, ttl: endsIn }),
        (error: Error) => done(error),
      );
    },
    child: storeOf,
  });
  // The plugin expects a class.
  return function Store(_options: FastifyRateLimitOptions) {
    return storeOf();
  } as unknown as FastifyRateLimitStoreCtor;
}
