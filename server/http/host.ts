import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../platform/refusal.ts';

/** A host name or IP address with an optional port, and no characters that could change other parts of a URL. */
const host = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether there is exactly one valid Host header. HTTP/1.0 requests, such as simple health checks, may have none. */
export function namesOneHost({
  headers,
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): boolean {
  const name = headers.host;
  if (name === undefined) return httpVersion === '1.0';
  const isHost = (word: string, index: number) => index % 2 === 0 && /^host$/i.test(word);
  if (rawHeaders.filter(isHost).length > 1) return false;
  return name.length <= 260 && host.test(name) && URL.canParse(`http://${name}`);
}

export function refuseHost(): never {
  throw new Refusal('invalid_input', { what: 'host' });
}

/** Scheme and host of the site. Without ORIGIN no proxy is trusted, so forwarded headers are ignored. */
export function originOf({ headers }: FastifyRequest, configured: string | undefined): string {
  return configured ?? (headers.host === undefined ? refuseHost() : `http://${headers.host}`);
}
