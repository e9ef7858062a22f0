import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../platform/fair-queue.ts';
import { ipPrefixesOf } from '../platform/ip-prefix.ts';
import { hashOfToken } from '../platform/secrets.ts';
import { bearerIn, type FindCaller } from './caller.ts';

/** Whose request it is, where several ask for more than there is (docs/decisions/0026-fair-share.md). */
export interface Clients {
  /** By the token that a request brings, where it has been found good before, and by its address. */
  clientOf(headers: IncomingHttpHeaders, address: string): Client;
  /** As it was given, but good tokens are remembered. */
  findCaller: FindCaller;
}

/** Of how many tokens we remember whose they are. */
const rememberedAtMost = 50_000;

/**
 * People who are signed in share one half, everybody else the other. In either half networks share equally, and then the
 * people or households in a network do. A token counts from its second request on, when it has been found good: one that
 * somebody has made up makes no client, and nothing is looked up to tell.
 */
export function openClients(findCaller: FindCaller): Clients {
  const people = new Map<string, string>();

  return {
    async findCaller(token) {
      const caller = await findCaller(token);
      const key = keyOf(token);
      people.delete(key);
      if (caller) people.set(key, caller.id);
      const [oldest] = people.keys();
      if (people.size > rememberedAtMost && oldest !== undefined) people.delete(oldest);
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
