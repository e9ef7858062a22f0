import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../platform/refusal.ts';

const unclear = 'The Host header of this request must name one host.';

/** A name or an address, and perhaps a port: nothing that would turn into another part of an address. */
const host = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether the Host header names one host. A request of HTTP/1.0 may have none: simple health checks are such. */
export function namesOneHost({
  headers,
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): boolean {
  const name = headers.host;
  if (name === undefined) return httpVersion === '1.0';
  const isHost = (word: string, place: number) => place % 2 === 0 && /^host$/i.test(word);
  if (rawHeaders.filter(isHost).length > 1) return false;
  return name.length <= 260 && host.test(name) && URL.canParse(`http://${name}`);
}

export function refuseHost(): never {
  throw new Refusal('invalid_input', unclear);
}

/** Scheme and host of the site. Where ORIGIN does not say it no proxy is trusted, so nothing forwarded is looked at. */
export function originOf({ headers }: FastifyRequest, configured: string | undefined): string {
  return configured ?? (headers.host === undefined ? refuseHost() : `http://${headers.host}`);
}
