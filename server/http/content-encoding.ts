import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#server/platform/refusal.ts';
import { encodeOnce, encodingOf, negotiateEncoding } from './cache/response-encoding.ts';

/** In place of an encoding, for a client that accepts none of ours. */
const none = 'none';

const notAcceptable = () => new Refusal('invalid_input', { what: 'unreadable' }, undefined, 406);

/**
 * Reads `Accept-Encoding` once for everything that encodes: the response cache, @fastify/compress and @fastify/static get the one encoding
 * that was chosen. This must be the first hook.
 */
export function chooseEncoding(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { encoding, refusesIdentity } = negotiateEncoding(request.headers['accept-encoding']);
    request.refusesIdentity = refusesIdentity;
    reply.header('vary', 'accept-encoding');
    request.raw.headers['accept-encoding'] = encoding ?? none;
    done();
  });
  app.decorateRequest('refusesIdentity', false);
}

/**
 * Compresses responses of routes that are registered later. A client that accepts nothing that we have gets 406 (RFC 9110 §12.5.3).
 */
export async function encodeResponses(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 });
  // After the hooks that set headers for every response.
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['accept-encoding'] === none) throw notAcceptable();
  });
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), encodeForced];
  });
}

/** What is left unencoded, because it is short or a file, for a client that refuses that. Failures are sent as they are. */
async function encodeForced(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!request.refusesIdentity || request.method === 'HEAD' || reply.statusCode >= 300) return payload;
  if (reply.hasHeader('content-encoding') || payload === undefined || payload === null) return payload;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) throw notAcceptable();
  const encoding = encodingOf(request.headers['accept-encoding']);
  const body = await encodeOnce({ body: Buffer.from(payload) }, encoding);
  reply.header('content-encoding', encoding).header('content-length', body.length);
  return body;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the client refuses a response that is not encoded. */
    refusesIdentity: boolean;
  }
}
