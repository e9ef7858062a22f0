import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '#server/platform/fair-queue.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { hashOfToken } from '#server/platform/secrets.ts';
import { bearerIn, type FindCaller } from '../caller.ts';

/** Determines the client of a request, for fair queueing (docs/decisions/0026-fair-share.md). */
export interface Clients {
  /** The client by IP address, and by token if that token was valid before. */
  clientOf(headers: IncomingHttpHeaders, address: string): Client;
  /** The function that was passed in; it also remembers valid tokens. */
  findCaller: FindCaller;
}

/** Maximum number of remembered tokens. */
const maxTokens = 50_000;

/**
 * Signed-in people share one half of the capacity and all other clients the other half. Within each half, networks have equal shares, and
 * then the people or households in a network. A token counts from its second request on, after it was valid once, so that forged tokens
 * create no clients and the queue needs no database query.
 */
export function openClients(findCaller: FindCaller): Clients {
  const people = new Map<string, string>();

  return {
    async findCaller(token, address) {
      const caller = await findCaller(token, address);
      const key = keyOf(token);
      people.delete(key);
      if (caller) people.set(key, caller.id);
      const [oldest] = people.keys();
      if (people.size > maxTokens && oldest !== undefined) people.delete(oldest);
      return caller;
    },
    clientOf(headers, address) {
      const networks = ipPrefixesOf(address);
      const token = bearerIn(headers);
      const person = token === undefined ? undefined : people.get(keyOf(token));
      return person === undefined
        ? ['visitors', ...networks]
        : ['people', networks[0] ?? '', `person ${person}`];
    },
  };
}

const keyOf = (token: string) => hashOfToken(token).toString('base64');
