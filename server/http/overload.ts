import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openDoor } from '../platform/door.ts';
import { unavailable } from '../platform/refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    atLeisure?: boolean;
  }
}

/** `config` of a route that takes nobody's place: it costs nothing, or waits for a network elsewhere. */
export const atLeisure = { atLeisure: true } as const;

/** Longest wait for a turn, in milliseconds, and how many wait for each that is worked on. */
const patience = 1000;
const waitingForEach = 20;

const tooMany = () => unavailable('Too many people are asking at once. Please try again in a moment.');

/**
 * Works on `atOnce` requests at a time, so that more of them make it neither slower nor larger: the others wait for their
 * turn, and are told to come again where that would take longer than people wait (docs/decisions/0017-outages.md). A place
 * is held from when the request has been read until its answer begins.
 */
export function letInByTurns(app: FastifyInstance, atOnce: number): void {
  const door = openDoor({ atOnce, waiting: atOnce * waitingForEach, patience }, tooMany);
  const places = new WeakMap<FastifyRequest, () => void>();

  app.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.atLeisure) return;
    const leave = await door.enter();
    places.set(request, leave);
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    places.get(request)?.();
    done(null, payload);
  });
}
