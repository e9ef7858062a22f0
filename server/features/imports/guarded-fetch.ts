import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { Agent, type buildConnector, fetch as fetchBy, type Response as Received } from 'undici';
import { ForbiddenAddress, judgeAddress, judgeHost } from './hosts.ts';
import { internet, type Network } from './network.ts';

/** How much of an answer is taken, how long it may take in all, and how slow it may be. */
export interface Bounds {
  /** Of the answer, decompressed. */
  bytes: number;
  milliseconds: number;
  /** Fewer than so many bytes in so many milliseconds, and the answer is given up. */
  least: { bytes: number; milliseconds: number };
}

/** A page, a script's data: no video. */
export const pageBounds: Bounds = {
  bytes: 8 * 1024 * 1024,
  milliseconds: 20_000,
  least: { bytes: 1024, milliseconds: 5_000 },
};

export type GuardedFetch = (
  input: string | URL | Request,
  init?: RequestInit,
  bounds?: Bounds,
) => Promise<Response>;

export interface Guard {
  fetch: GuardedFetch;
  /** Ends every connection. */
  close(): Promise<void>;
}

const redirectsAtMost = 4;
const patience = 10_000;

/**
 * The one way out of an import. It asks only hosts on the list, over https at its own port; judges every redirect as it
 * judged the first address; and judges every IP address before it is dialled and once more at the open socket, so that a
 * name that resolves to a private address, now or a moment later, reaches nobody (decisions §3).
 */
export function createGuard(network: Network = internet): Guard {
  const agent = new Agent({
    connect: (options, answer) => {
      open(network, options).then(
        (socket) => answer(null, socket),
        (error: Error) => answer(error, null),
      );
    },
    headersTimeout: patience,
    bodyTimeout: patience,
    pipelining: 1,
  });

  const guarded: GuardedFetch = async (input, init = {}, bounds = pageBounds) => {
    const asked = await requestOf(input, init);
    const stopping = new AbortController();
    const signals = [stopping.signal, AbortSignal.timeout(bounds.milliseconds)];
    const signal = AbortSignal.any(init.signal ? [...signals, init.signal] : signals);
    let { address, headers } = asked;
    for (let redirects = 0; ; redirects += 1) {
      judgeAddress(address);
      const { method, body } = asked;
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
        return bounded(answer, bounds, stopping);
      await answer.body?.cancel();
      if (redirects === redirectsAtMost) throw new ForbiddenAddress('redirected too often');
      if (method !== 'GET') throw new ForbiddenAddress(`a ${method} is redirected`);
      const next = new URL(target, address);
      if (next.origin !== address.origin) headers = withoutSecrets(headers);
      address = next;
    }
  };
  return { fetch: guarded, close: () => agent.destroy() };
}

/** A library may bring a whole Request; what it says beside it counts more. */
async function requestOf(input: string | URL | Request, init: RequestInit) {
  const request = input instanceof Request ? input : undefined;
  const body = init.body ?? (request?.body ? await request.text() : undefined);
  if (body !== undefined && typeof body !== 'string') throw new TypeError('only text is sent');
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

async function open(network: Network, options: buildConnector.Options): Promise<Socket> {
  const { protocol, hostname, port } = options;
  if (protocol !== 'https:' || (port && port !== '443')) throw new ForbiddenAddress('not https at port 443');
  judgeHost(hostname);
  const addresses = await network.resolve(hostname);
  const foreign = addresses.find(({ address }) => !network.isAllowed(address));
  if (addresses.length === 0 || foreign)
    throw new ForbiddenAddress(`${hostname} resolves to ${foreign?.address ?? 'nothing'}`);
  const socket = network.dial(hostname, 443, addresses);
  // Its errors are told by what waits for it; one after the last wait has nobody left to tell.
  socket.on('error', () => undefined);
  const late = setTimeout(() => socket.destroy(new Error(`${hostname} does not answer`)), patience);
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

/** The answer, its body held to its bounds while it is read. */
function bounded(answer: Received, bounds: Bounds, stopping: AbortController): Response {
  const headers = new Headers([...answer.headers]);
  // It has been decompressed.
  headers.delete('content-encoding');
  const hasBody = answer.body !== null && ![204, 205, 304].includes(answer.status);
  const body = hasBody ? ReadableStream.from(hold(answer, bounds, stopping)) : null;
  return new Response(body as unknown as ConstructorParameters<typeof Response>[0], {
    status: answer.status,
    headers,
  });
}

async function* hold(answer: Received, { bytes, least }: Bounds, stopping: AbortController) {
  let taken = 0;
  let before = 0;
  const watch = setInterval(() => {
    if (taken - before < least.bytes) stopping.abort(new Error('the answer comes too slowly'));
    before = taken;
  }, least.milliseconds);
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
