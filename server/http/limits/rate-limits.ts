import rateLimit, {
  type FastifyRateLimitOptions,
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { crowd, type Limit } from '#contract/endpoint.ts';
import { dailyLimits } from '#contract/limits.ts';
import type { DistributedRateLimit } from '#server/platform/distributed-rate-limit.ts';
import { ipPrefixesOf, ipPrefixOf } from '#server/platform/ip-prefix.ts';
import { networkMark, noteNetwork } from '#server/platform/networks.ts';
import { tooManyRequests } from '#server/platform/refusal.ts';
import { isPage } from './load-shedding.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts the request against the limit of a signed-in person; throws `too_many_requests` above it. Remembers the network for later fair
     * sharing.
     */
    countPerson(personId: string): Promise<void>;
    /** Counts costly work against a limit of the request's network, which has its own counter. */
    countNetwork(limit: RouteLimit): Promise<void>;
    /** Counts the request of a visitor against the limit of a viewer, identified by a random id within a network. */
    countViewer(viewer: string): Promise<void>;
  }
  interface FastifyContextConfig {
    /** The rate limit of this route; `othersLimit` by default. */
    limit?: RouteLimit;
  }
}

/** A limit and the name of its counter: routes with the same name share a counter. */
export interface RouteLimit {
  name: string;
  limit: Limit;
}

const minute = 60_000;
/** Maximum of people and networks that a counter in this process holds. */
const maxEntries = 100_000;

/** For pages that do not come from the response cache. */
const pagesLimit: RouteLimit = { name: 'pages', limit: { perNetwork: crowd } };
/** For media, scripts and images: one page loads dozens of them. */
const othersLimit: RouteLimit = { name: 'others', limit: { perNetwork: 10 * crowd } };

/**
 * Sets a rate limit for every route, including routes that are registered later. Networks are counted first of all; people
 * are counted once the token is checked, but before the input is validated.
 */
export async function registerRateLimits(
  app: FastifyInstance,
  counts: DistributedRateLimit | undefined,
): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    ...(counts ? { store: distributedStore(counts) } : {}),
  });
  type Count = ReturnType<typeof app.createRateLimit>;
  const counters = new Map<string, Count>();
  const keys = new WeakMap<FastifyRequest, string>();

  /** Each name has its own counter, so that one limit cannot evict the entries of another. */
  function counterOf(name: string, max: number): Count {
    const known = counters.get(name);
    if (known) return known;
    const options = {
      max,
      timeWindow: minute,
      cache: maxEntries,
      keyGenerator: (request: FastifyRequest) => keys.get(request) ?? '',
    };
    const counter = app.createRateLimit(options);
    counters.set(name, counter);
    return counter;
  }

  async function count(request: FastifyRequest, name: string, who: string, max: number): Promise<void> {
    keys.set(request, `${name} ${who}`);
    const counted = await counterOf(name, max)(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooManyRequests(counted.ttlInSeconds);
  }

  app.addHook('onRequest', async (request, reply) => {
    const limit = limitOf(request);
    // Only the limit is sent: the remaining requests would reveal what others in the same network do.
    reply.header('ratelimit-policy', policyOf(limit.limit));
    await request.countNetwork(limit);
  });

  app.decorateRequest('countNetwork', async function (this: FastifyRequest, { name, limit }: RouteLimit) {
    // A counter of this process stays in memory until it is evicted, so it does not store the address. Shared counters are hashed when they
    // are written, and end with their minute.
    const [network = ''] = counts ? ipPrefixesOf(this.ip) : [networkMark(this.ip)];
    await count(this, `network ${name}`, network, limit.perNetwork ?? crowd);
  });

  app.decorateRequest('countPerson', async function (this: FastifyRequest, personId: string) {
    noteNetwork(personId, this.ip);
    const { name, limit } = limitOf(this);
    if ('perPerson' in limit) await count(this, `person ${name}`, personId, limit.perPerson);
  });

  app.decorateRequest('countViewer', async function (this: FastifyRequest, viewer: string) {
    const { name, limit } = limitOf(this);
    const network = counts ? ipPrefixOf(this.ip) : networkMark(this.ip);
    if (limit.perViewer) await count(this, `viewer ${name}`, `${network} ${viewer}`, limit.perViewer);
  });
}

function limitOf(request: FastifyRequest): RouteLimit {
  return request.routeOptions.config.limit ?? (isPage(request) ? pagesLimit : othersLimit);
}

function policyOf(limit: Limit): string {
  const network = `"network";q=${limit.perNetwork ?? crowd};w=60`;
  const viewer = limit.perViewer ? [`"viewer";q=${limit.perViewer};w=60`] : [];
  const person = 'perPerson' in limit ? [`"person";q=${limit.perPerson};w=60`] : [];
  const daily = limit.perDay ? Object.entries(dailyLimits[limit.perDay]) : [];
  const days = daily.map(([of, most]) => `"${of}-day";q=${most};w=86400`);
  return [...person, ...viewer, ...days, network].join(', ');
}

/** A store for @fastify/rate-limit that uses the counters of all processes. */
function distributedStore(counts: DistributedRateLimit): FastifyRateLimitStoreCtor {
  const storeOf = (): FastifyRateLimitStore => ({
    incr(key, done, window, max) {
      counts.add(key, window, max).then(
        ({ current, endsIn }) => done(null, { current, ttl: endsIn }),
        (error: Error) => done(error),
      );
    },
    child: storeOf,
  });
  // The plugin requires a class.
  return function Store(_options: FastifyRateLimitOptions) {
    return storeOf();
  } as unknown as FastifyRateLimitStoreCtor;
}
