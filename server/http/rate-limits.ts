import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { crowd, type Limit } from '#contract/endpoint.ts';
import type { DistributedRateLimit } from '../platform/distributed-rate-limit.ts';
import { ipPrefixesOf } from '../platform/ip-prefix.ts';
import { tooManyRequests } from '../platform/refusal.ts';
import { distributedStore } from './rate-limit-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts it for who is signed in, once it is known who; refuses what is too much. */
    countPerson(personId: string): Promise<void>;
  }
  interface FastifyContextConfig {
    /** How often this route may be asked; `othersLimit` where it does not say. */
    limit?: RouteLimit;
  }
}

/** A limit and the name under which it is counted: routes of one name are counted together. */
export interface RouteLimit {
  name: string;
  limit: Limit;
}

const minute = 60_000;
/** People and networks that one limit remembers for its minute, where this process counts for itself. */
const rememberedAtMost = 100_000;

/** Pages, when they are not answered by the response cache. */
const pagesLimit: RouteLimit = { name: 'pages', limit: { perNetwork: crowd } };
/** Media, scripts, pictures …: a page asks for dozens of them. */
const othersLimit: RouteLimit = { name: 'others', limit: { perNetwork: 10 * crowd } };

/**
 * Limits every route there is, what comes later too. Networks are counted before anything else is done for a request;
 * people once it is known who asks, but before what they sent is looked at.
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

  /** One counter for each name, so that each has a memory of its own. */
  function counterOf(name: string, max: number): Count {
    const known = counters.get(name);
    if (known) return known;
    const options = {
      max,
      timeWindow: minute,
      cache: rememberedAtMost,
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
    const { name, limit } = limitOf(request);
    const perNetwork = limit.perNetwork ?? crowd;
    // Only the rule, which is the same for all: how much is left of it says what the neighbours do.
    reply.header('ratelimit-policy', policyOf(limit));
    const [network = ''] = ipPrefixesOf(request.ip);
    await count(request, `network ${name}`, network, perNetwork);
  });

  app.decorateRequest('countPerson', async function (this: FastifyRequest, personId: string) {
    const { name, limit } = limitOf(this);
    if ('perPerson' in limit) await count(this, `person ${name}`, personId, limit.perPerson);
  });
}

function limitOf(request: FastifyRequest): RouteLimit {
  return request.routeOptions.config.limit ?? (request.is404 ? pagesLimit : othersLimit);
}

function policyOf(limit: Limit): string {
  const network = `"network";q=${limit.perNetwork ?? crowd};w=60`;
  return 'perPerson' in limit ? `"person";q=${limit.perPerson};w=60, ${network}` : network;
}
