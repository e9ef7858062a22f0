import type { ServerResponse } from 'node:http';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { createFairQueue, type FairQueue } from '#server/platform/fair-queue.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { Overloaded } from '#server/platform/refusal.ts';
import { failureOf } from '../failures.ts';
import { pageThreads } from '../pages/page-threads.ts';
import type { Clients } from './clients.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    exemptFromConcurrencyLimit?: boolean;
  }
}

/** Route `config` of requests that do not count against the concurrency limit: they cost nothing, or mostly wait for a network. */
export const exemptFromConcurrencyLimit = { exemptFromConcurrencyLimit: true } as const;
/** Monitoring needs a response even when the server is overloaded: these paths are never shed. */
const healthPaths = new Set(['/healthz', '/readyz']);

/** Longest time that a request waits in the queue, in milliseconds, and queue places for each concurrent request. */
const timeout = 3000;
const queuePlacesPerRequest = 20;
/** Concurrent API requests while the processors are fully busy, one of the default limit: more would only slow each of them down. */
const callsWhenBusy = (limit: number) => Math.ceil(limit / 256);
/** Extra places for clients that have no request in progress, so that they need not wait for heavy users. */
const spare = 4;
/**
 * How often the load of this thread and of all processors is measured, in milliseconds, and the shares of time that count as
 * busy and as idle. The limit for all processors is lower, because a process that finds none free has to wait.
 */
const measureEvery = 100;
const busy = { thread: 0.9, machine: 0.75 };
const idle = { thread: 0.75, machine: 0.55 };
/** A 503 is sent after this delay in milliseconds, to slow down clients that retry at once; above the maximum it is sent at once, to save memory. */
const delay = 2000;
const maxDelayed = 10_000;

export interface LoadShedding {
  /** Waits until a page may be rendered; returns the function that frees the place. */
  enterPageQueue(request: FastifyRequest): Promise<() => void>;
}

/** The route of all pages; React Router finds the page. */
export const pageRoute = '/*';

/** Whether a page serves the request; unknown URLs get the page for 404. */
export const isPage = ({ is404, routeOptions }: FastifyRequest) => is404 || routeOptions.url === pageRoute;

/**
 * Runs at most `atOnce` requests concurrently, and few pages, so that overload makes the server neither slower nor larger. Other requests
 * wait in a fair queue (docs/decisions/0026-fair-share.md) and get 503 with `Retry-After` after the timeout. While the queue is full, GET
 * requests of the client with most waiting requests are shed before any other work, with a delayed 503: clients that retry at once would
 * otherwise use the processor just for being rejected (docs/decisions/0017-outages.md).
 */
export function enforceConcurrencyLimit(
  app: FastifyInstance,
  clients: Clients,
  { registry }: Metrics,
  atOnce: number,
): LoadShedding {
  const refusal = new Overloaded();
  const bounds = { waiting: atOnce * queuePlacesPerRequest, timeout };
  const calls = createFairQueue(
    { ...bounds, atOnce: callsWhenBusy(atOnce), spare: Math.min(atOnce - 1, spare) },
    () => refusal,
  );
  const pages = createFairQueue(
    { ...bounds, atOnce: Math.min(atOnce, pageThreads - 1), spare: 1 },
    () => refusal,
  );
  adaptConcurrency(app, calls, atOnce);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'retry-after': String(refusal.retryAfter),
  };
  const shed = new Counter({
    name: 'jhalak_requests_shed_total',
    help: 'Requests answered 503 before anything else was done for them, because the queue was full',
    registers: [registry],
  });
  let delayed = 0;

  function refuse(response: ServerResponse, id: string): void {
    response.writeHead(refusal.status, { ...headers, 'x-request-id': id });
    response.end(JSON.stringify(failureOf(refusal, id)));
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'GET' || healthPaths.has(request.url)) return done();
    const queue = isPage(request) ? pages : calls;
    if (!queue.isCrowded() || !queue.isFull(clients.clientOf(request.headers, request.ip))) return done();
    shed.inc();
    request.isMeasured = false;
    reply.hijack();
    if (delayed >= maxDelayed) refuse(reply.raw, request.id);
    else {
      delayed += 1;
      after(() => {
        delayed -= 1;
        refuse(reply.raw, request.id);
      }, delay);
    }
  });

  const enter = (queue: FairQueue, request: FastifyRequest) =>
    queue.enter(clients.clientOf(request.headers, request.ip));

  /** A request holds its place from the time it has been read until its response begins. */
  const places = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preValidation', async (request, reply) => {
    // Pages wait later, in pages.ts, and only if they must be rendered.
    if (isPage(request) || request.routeOptions.config.exemptFromConcurrencyLimit) return;
    const leave = await enter(calls, request);
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
    places.set(request, leave);
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    places.get(request)?.();
    done(null, payload);
  });

  return { enterPageQueue: (request) => enter(pages, request) };
}

/**
 * Raises the concurrency up to `most` while this thread and the processors have idle time: a request that waits for the
 * database costs little. When they are busy the concurrency falls, since more requests would slow down each other, and only
 * requests in the queue are ordered fairly.
 */
function adaptConcurrency(app: FastifyInstance, queue: FairQueue, most: number): void {
  const least = callsWhenBusy(most);
  let places = least;
  let before = { thread: performance.eventLoopUtilization(), machine: machineTimes() };
  const timer = setInterval(() => {
    // The limit is at its minimum and not reached: nothing changes.
    if (places === least && queue.inside() < places) return;
    const now = { thread: performance.eventLoopUtilization(), machine: machineTimes() };
    const { utilization: thread } = performance.eventLoopUtilization(now.thread, before.thread);
    const machine = (now.machine.worked - before.machine.worked) / (now.machine.all - before.machine.all);
    before = now;
    // On systems that do not report processor times, only the load of this thread counts.
    if (thread > busy.thread || machine > busy.machine) places = Math.max(least, Math.floor(places / 2));
    else if (thread < idle.thread && !(machine >= idle.machine) && queue.inside() >= places)
      places = Math.min(most, places * 2);
    else return;
    queue.resize(places);
  }, measureEvery);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Busy and total time of all processors, which the database and the page threads use too. Low-priority work (`nice`) does not count as busy. */
function machineTimes(): { worked: number; all: number } {
  const sum = { worked: 0, all: 0 };
  for (const { times } of cpus()) {
    sum.worked += times.user + times.sys + times.irq;
    sum.all += times.user + times.sys + times.irq + times.nice + times.idle;
  }
  return sum;
}
