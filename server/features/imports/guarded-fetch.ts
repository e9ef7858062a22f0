import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { Agent, type buildConnector, fetch as fetchBy, type Response as Received } from 'undici';
import { checkAddress, checkHost, ForbiddenAddress, importHosts } from './hosts.ts';
import { internet, type Network } from './network.ts';

/** Limits for size, duration and speed of a response. */
export interface ResponseLimits {
  /** Maximum size of the decompressed response. */
  bytes: number;
  milliseconds: number;
  /** Minimum of bytes that must arrive in each period; a slower response is aborted. */
  minimum: { bytes: number; milliseconds: number };
}

/** Limits for pages and data, but not for videos. */
export const pageLimits: ResponseLimits = {
  bytes: 8 * 1024 * 1024,
  milliseconds: 20_000,
  minimum: { bytes: 1024, milliseconds: 5_000 },
};

export type GuardedFetch = (
  input: string | URL | Request,
  init?: RequestInit,
  limits?: ResponseLimits,
) => Promise<Response>;

export interface Guard {
  fetch: GuardedFetch;
  /** Closes every connection. */
  close(): Promise<void>;
}

const maxRedirects = 4;
const timeout = 10_000;

/**
 * The only way in which imports and push messages reach the network. It allows listed hosts over https on port 443; checks every
 * redirect like the first address; and checks every IP address before connecting and again on the open socket, so
 * that a name that resolves to a private address, now or later, is refused (decisions §3).
 */
export function createGuard(network: Network = internet, hosts: readonly string[] = importHosts): Guard {
  const agent = new Agent({
    connect: (options, answer) => {
      open(network, options, hosts).then(
        (socket) => answer(null, socket),
        (error: Error) => answer(error, null),
      );
    },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    pipelining: 1,
  });

  const guarded: GuardedFetch = async (input, init = {}, limits = pageLimits) => {
    const requested = await requestOf(input, init);
    const stopping = new AbortController();
    const signals = [stopping.signal, AbortSignal.timeout(limits.milliseconds)];
    const signal = AbortSignal.any(init.signal ? [...signals, init.signal] : signals);
    let { address, headers } = requested;
    for (let redirects = 0; ; redirects += 1) {
      checkAddress(address, hosts);
      const { method, body } = requested;
      const answer = await fetchBy(address, {
        method,
        headers: [...headers],
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        dispatcher: agent,
        signal,
      });
      const target = answer.headers.get('location');
      if (answer.status < 300 || answer.status > 399 || target === null)
        return bounded(answer, limits, stopping);
      await answer.body?.cancel();
      if (redirects === maxRedirects) throw new ForbiddenAddress('redirected too often');
      if (method !== 'GET') throw new ForbiddenAddress(`a ${method} is redirected`);
      const next = new URL(target, address);
      if (next.origin !== address.origin) headers = withoutSecrets(headers);
      address = next;
    }
  };
  return { fetch: guarded, close: () => agent.destroy() };
}

/** Libraries may pass a Request; the init parameter overrides its properties. */
async function requestOf(input: string | URL | Request, init: RequestInit) {
  const request = input instanceof Request ? input : undefined;
  const body = init.body ?? (request?.body ? await request.text() : undefined);
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('only text and bytes are sent');
  return {
    address: new URL(request ? request.url : input.toString()),
    method: init.method ?? request?.method ?? 'GET',
    headers: new Headers(init.headers ?? request?.headers),
    body,
  };
}

function withoutSecrets(headers: Headers): Headers {
  const left = new Headers(headers);
  for (const name of ['authorization', 'cookie']) left.delete(name);
  return left;
}

async function open(
  network: Network,
  options: buildConnector.Options,
  hosts: readonly string[],
): Promise<Socket> {
  const { protocol, hostname, port } = options;
  if (protocol !== 'https:' || (port && port !== '443')) throw new ForbiddenAddress('not https at port 443');
  checkHost(hostname, hosts);
  const addresses = await network.resolve(hostname);
  const foreign = addresses.find(({ address }) => !network.isAllowed(address));
  if (addresses.length === 0 || foreign)
    throw new ForbiddenAddress(`${hostname} resolves to ${foreign?.address ?? 'nothing'}`);
  const socket = network.dial(hostname, 443, addresses);
  // Errors are reported by the promises below; this listener avoids an unhandled error after them.
  socket.on('error', () => undefined);
  const late = setTimeout(() => socket.destroy(new Error(`${hostname} does not answer`)), timeout);
  try {
    await once(socket, 'connect');
    const { remoteAddress = '' } = socket;
    if (!network.isAllowed(remoteAddress)) throw new ForbiddenAddress(`${hostname} is at ${remoteAddress}`);
    return await network.secure(socket, hostname);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** The response with a body that is limited while it is read. */
function bounded(answer: Received, limits: ResponseLimits, stopping: AbortController): Response {
  const headers = new Headers([...answer.headers]);
  // The body has been decompressed.
  headers.delete('content-encoding');
  const hasBody = answer.body !== null && ![204, 205, 304].includes(answer.status);
  const body = hasBody ? ReadableStream.from(limited(answer, limits, stopping)) : null;
  return new Response(body as unknown as ConstructorParameters<typeof Response>[0], {
    status: answer.status,
    headers,
  });
}

async function* limited(answer: Received, { bytes, minimum }: ResponseLimits, stopping: AbortController) {
  let taken = 0;
  let before = 0;
  const watch = setInterval(() => {
    if (taken - before < minimum.bytes) stopping.abort(new Error('the answer comes too slowly'));
    before = taken;
  }, minimum.milliseconds);
  try {
    for await (const chunk of answer.body ?? []) {
      taken += chunk.byteLength;
      if (taken > bytes) throw new Error(`the answer is larger than ${bytes} bytes`);
      yield chunk as Uint8Array;
    }
  } finally {
    clearInterval(watch);
    stopping.abort();
  }
}
