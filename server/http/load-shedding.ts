import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFairQueue, type FairQueue } from '../platform/fair-queue.ts';
import { Overloaded } from '../platform/refusal.ts';
import type { Clients } from './clients.ts';
import { failureOf } from './failures.ts';
import { interceptRequests } from './intercept-requests.ts';
import { pageThreads } from './page-threads.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    exemptFromConcurrencyLimit?: boolean;
  }
}

/** `config` of a route that takes nobody's place: it costs nothing, or waits for a network elsewhere. */
export const exemptFromConcurrencyLimit = { exemptFromConcurrencyLimit: true } as const;
/** Such as are asked for by whoever watches over the server: never turned away unread. */
const healthPaths = new Set(['/healthz', '/readyz']);

/** Longest wait for a turn, in milliseconds, and how many wait for each that is worked on. */
const patience = 3000;
const waitingForEach = 20;
/** Of calls so many are worked on while the processors are busy all the time: whoever comes next waits for each of them. */
const callsWhenBusy = 1;
/** So many more of clients of whom none is worked on. */
const spare = 4;
/**
 * How often we look how busy our thread and the machine's processors are, in milliseconds, and what is busy and what idle, as a
 * part of the time. Processors have to be free now and then, or whoever needs one waits for it.
 */
const lookEvery = 100;
const busy = { thread: 0.9, machine: 0.75 };
const idle = { thread: 0.75, machine: 0.55 };
/** Who is turned away hears of it after so many milliseconds, but for those beyond so many: they would cost too much memory. */
const heldFor = 2000;
const heldAtMost = 10_000;

export interface LoadShedding {
  /** Waits for a place among the pages that are rendered, and returns what gives it back. */
  enterPageQueue(request: FastifyRequest): Promise<() => void>;
  /** How many were turned away before the framework saw them. */
  turnedAway(): number;
}

/**
 * Works on `atOnce` requests at a time, and on two pages, so that more of them make it neither slower nor larger: the others
 * wait for their client's turn (docs/decisions/0026-fair-share.md), and are told to come again where that would take longer than people
 * wait. Where as many wait as can, a GET of whoever waits most is turned away before anything else is done for it, and hears of it
 * late: those who ask again at once would otherwise take the machine for being refused (docs/decisions/0017-outages.md).
 */
export function enforceConcurrencyLimit(
  app: FastifyInstance,
  clients: Clients,
  addressOf: (request: IncomingMessage) => string,
  atOnce: number,
): LoadShedding {
  const refusal = new Overloaded();
  const bounds = { waiting: atOnce * waitingForEach, patience };
  const calls = createFairQueue(
    { ...bounds, atOnce: Math.min(atOnce, callsWhenBusy), spare: Math.min(atOnce - 1, spare) },
    () => refusal,
  );
  const pages = createFairQueue(
    { ...bounds, atOnce: Math.min(atOnce, pageThreads - 1), spare: 1 },
    () => refusal,
  );
  keepBusy(app, calls, atOnce);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'retry-after': String(refusal.retryAfter),
  };
  let turnedAway = 0;
  let held = 0;

  function refuse(response: ServerResponse): void {
    const id = randomUUID();
    response.writeHead(refusal.status, { ...headers, 'x-request-id': id });
    response.end(JSON.stringify(failureOf(refusal, id)));
  }

  interceptRequests(app, (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || healthPaths.has(request.url ?? '')) return false;
    const queue = isPage(request.url ?? '') ? pages : calls;
    if (!queue.isCrowded() || !queue.isFull(clients.clientOf(request.headers, addressOf(request))))
      return false;
    turnedAway += 1;
    if (held >= heldAtMost) refuse(response);
    else {
      held += 1;
      after(() => {
        held -= 1;
        refuse(response);
      }, heldFor);
    }
    return true;
  });

  async function enter(queue: FairQueue, request: FastifyRequest) {
    return await queue.enter(clients.clientOf(request.headers, request.ip));
  }

  /** A place is held from when the request has been read until its answer begins. */
  const places = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preValidation', async (request, reply) => {
    // A page waits where it turns out that it has to be rendered (pages.ts).
    if (request.is404 || request.routeOptions.config.exemptFromConcurrencyLimit) return;
    const leave = await enter(calls, request);
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
    places.set(request, leave);
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    places.get(request)?.();
    done(null, payload);
  });

  return {
    enterPageQueue: (request) => enter(pages, request),
    turnedAway: () => turnedAway,
  };
}

/**
 * As long as our thread and the processors have time left more is worked on at once, up to `most`: what waits for the database
 * costs little. When either has none, whatever is inside only makes everything else slower, and fair turns are those outside.
 */
function keepBusy(app: FastifyInstance, queue: FairQueue, most: number): void {
  const least = Math.min(most, callsWhenBusy);
  let places = least;
  let before = { thread: performance.eventLoopUtilization(), machine: machineTimes() };
  const look = setInterval(() => {
    // Nobody waits, and fewer places there cannot be.
    if (places === least && queue.inside() < places) return;
    const now = { thread: performance.eventLoopUtilization(), machine: machineTimes() };
    const { utilization: thread } = performance.eventLoopUtilization(now.thread, before.thread);
    const machine = (now.machine.worked - before.machine.worked) / (now.machine.all - before.machine.all);
    before = now;
    // Where the system does not say what its processors do the thread alone counts.
    if (thread > busy.thread || machine > busy.machine) places = Math.max(least, Math.floor(places / 2));
    else if (thread < idle.thread && !(machine >= idle.machine) && queue.inside() >= places)
      places = Math.min(most, places * 2);
    else return;
    queue.resize(places);
  }, lookEvery);
  look.unref();
  app.addHook('onClose', async () => clearInterval(look));
}

/** How long the processors have worked, and in all: the database and the pages' threads use them as well. What yields (`nice`) is no work. */
function machineTimes(): { worked: number; all: number } {
  const sum = { worked: 0, all: 0 };
  for (const { times } of cpus()) {
    sum.worked += times.user + times.sys + times.irq;
    sum.all += times.user + times.sys + times.irq + times.nice + times.idle;
  }
  return sum;
}

/** Whether the site's own router will be asked: all else is under a name of its own, or a file. */
const isPage = (url: string) => !/^\/(?:api|media)\/|^[^?]*\.[^/?]*(?:$|\?)/.test(url);
