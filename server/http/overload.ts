import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFairQueue, type FairQueue } from '../platform/fair-queue.ts';
import { networksOf } from '../platform/network.ts';
import { Crowded } from '../platform/refusal.ts';
import { putAhead } from './ahead.ts';
import { failureOf } from './failures.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    atLeisure?: boolean;
  }
}

/** `config` of a route that takes nobody's place: it costs nothing, or waits for a network elsewhere. */
export const atLeisure = { atLeisure: true } as const;
/** Such as are asked for by whoever watches over the server: never turned away unread. */
const watched = new Set(['/healthz', '/readyz']);

/** Longest wait for a turn, in milliseconds, and how many wait for each that is worked on. */
const patience = 1000;
const waitingForEach = 20;
/** Who is turned away hears of it after so many milliseconds, but for those beyond so many: they would cost too much memory. */
const heldFor = 2000;
const heldAtMost = 10_000;

export interface Turns {
  queue: FairQueue;
  /** How many were turned away before the framework saw them. */
  turnedAway(): number;
}

/**
 * Works on `atOnce` requests at a time, so that more of them make it neither slower nor larger: the others wait for their
 * turn, and are told to come again where that would take longer than people wait (docs/decisions/0017-outages.md). Where as
 * many wait as can, a GET is turned away before anything else is done for it, and hears of it late: those who ask again at
 * once would otherwise take the machine for being refused.
 */
export function openTurns(app: FastifyInstance, atOnce: number): Turns {
  const refusal = new Crowded();
  const queue = createFairQueue({ atOnce, waiting: atOnce * waitingForEach, patience }, () => refusal);
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

  putAhead(app, (request: IncomingMessage, response: ServerResponse) => {
    if (
      request.method !== 'GET' ||
      !queue.isFull(networksOf(request.socket.remoteAddress ?? '')) ||
      watched.has(request.url ?? '')
    )
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
  return { queue, turnedAway: () => turnedAway };
}

/** A place is held from when the request has been read until its answer begins. */
export function letInByTurns(app: FastifyInstance, { queue }: Turns): void {
  const places = new WeakMap<FastifyRequest, () => void>();

  app.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.atLeisure) return;
    const leave = await queue.enter(networksOf(request.ip));
    places.set(request, leave);
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    places.get(request)?.();
    done(null, payload);
  });
}
