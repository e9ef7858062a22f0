import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit';
import type { DistributedRateLimit } from '../platform/distributed-rate-limit.ts';

/** Lets @fastify/rate-limit count by what all processes have counted. The keys say what is counted (rate-limits.ts). */
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
  // The plugin asks for a class.
  return function Store(_options: FastifyRateLimitOptions) {
    return storeOf();
  } as unknown as FastifyRateLimitStoreCtor;
}
