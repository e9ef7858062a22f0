import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type Lock, Metadata, Server as TusServer } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { uploadsPath } from '#contract/uploads.ts';
import { PartsStore } from '#server/features/uploads/parts-store.ts';
import type { Resumable } from '#server/features/uploads/resumable.ts';
import type { Unpublished } from '#server/features/uploads/unpublished.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Inbox } from '#server/platform/storage.ts';
import { type FindCaller, requireCaller } from '../caller.ts';
import { asRefusal, retryAfterOf } from '../failures.ts';
import { exemptFromConcurrencyLimit } from '../limits/load-shedding.ts';
import type { CheckDiskSpace } from './receive-file.ts';

const chunkType = 'application/offset+octet-stream';
const version = '1.0.0';

interface ResumableParts {
  storage: Inbox;
  resumable: Resumable;
  findCaller: FindCaller;
  checkDiskSpace: CheckDiskSpace;
  unpublished: Unpublished;
}

/**
 * Resumable uploads by the tus protocol 1.0.0 (docs/decisions/0010-resumable-uploads.md). Access and size are checked here before the tus
 * server gets a request. An upload belongs to the person who began it; for others it does not exist.
 */
export async function registerResumable(
  app: FastifyInstance,
  { storage, resumable, findCaller, checkDiskSpace, unpublished }: ResumableParts,
): Promise<void> {
  const begun = new WeakMap<IncomingMessage, string>();
  const tus = new TusServer({
    path: uploadsPath,
    datastore: new PartsStore(storage, resumable),
    locker: { newLock: (key) => lockOf(resumable, key) },
    relativeLocation: true,
    // An upload whose length comes later may be as large as its kind allows.
    maxSize: async (_request, key) => (key && (await resumable.find(key))?.most) || limits.video.maxBytes,
    // Pages of other sites may not use uploads, so no CORS headers are sent.
    allowedOrigins: () => false,
    namingFunction: (request) => {
      const key = request.runtime?.node?.req && begun.get(request.runtime.node.req as IncomingMessage);
      if (!key) throw new Error('an upload was created without its key');
      return key;
    },
    onResponseError: (request, error) => {
      // Refusals of the protocol itself are one sentence each; other errors go to the log only.
      if ('status_code' in error) return undefined;
      const refusal = asRefusal(error);
      if (refusal.status >= 500) app.log.error(error, 'resumable upload');
      const answer = request.runtime?.node?.res as ServerResponse | undefined;
      const retryAfter = retryAfterOf(refusal);
      if (retryAfter !== undefined) answer?.setHeader('retry-after', retryAfter);
      return { status_code: refusal.status, body: `${refusal.message}\n` };
    },
  });

  await app.register(async (scope) => {
    // This hook also runs for requests that are refused before they reach this scope; passToTus sets the header for all others.
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('tus-resumable', version);
    });
    scope.addContentTypeParser(chunkType, (_request, _payload, done) => done(null));
    const schema = { hide: true };
    const beginning = {
      limit: { name: 'begin upload', limit: { perPerson: 60 } },
      ...exemptFromConcurrencyLimit,
    };
    const sending = {
      limit: { name: 'send upload', limit: { perPerson: 6000 } },
      ...exemptFromConcurrencyLimit,
    };
    for (const path of [uploadsPath, `${uploadsPath}/:key`])
      scope.options(path, { schema, config: sending }, (request, reply) => passToTus(tus, request, reply));
    scope.post(uploadsPath, { schema, config: beginning }, async (request, reply) => {
      const { id } = await requireCaller(request, findCaller);
      await request.countPerson(id);
      requireTus(request, reply);
      const announced = announcedBy(request);
      const key = await resumable.begin(id, announced);
      try {
        // The new upload is already counted in the person's quota, so no bytes are added here.
        (await unpublished.enter(id, { files: 0, bytes: 0 }))();
        await checkDiskSpace((await resumable.find(key))?.bytes ?? 0);
      } catch (error) {
        await resumable.cancel(key);
        throw error;
      }
      begun.set(request.raw, key);
      await passToTus(tus, request, reply);
      if (reply.raw.statusCode !== 201) await resumable.cancel(key);
    });
    scope.route<{ Params: { key: string } }>({
      method: ['HEAD', 'PATCH', 'DELETE', 'POST'],
      url: `${uploadsPath}/:key`,
      schema,
      config: sending,
      handler: async (request, reply) => {
        const { id } = await requireCaller(request, findCaller);
        await request.countPerson(id);
        requireTus(request, reply);
        const method = methodOf(request, reply);
        if (method === 'PATCH' && request.headers['upload-offset'] === undefined)
          throw new Refusal('invalid_input', { what: 'upload_offset' });
        if (!/^[0-9a-f]{32}$/.test(request.params.key)) throw notFound('no_upload');
        await resumable.touch(request.params.key, id);
        if (method === 'PATCH') await checkDiskSpace(await expectedBytes(request, resumable));
        await passToTus(tus, request, reply);
      },
    });
    const others = [
      { url: uploadsPath, method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'], taken: 'POST' },
      { url: `${uploadsPath}/:key`, method: ['GET', 'PUT'], taken: methodsOfOne },
    ] as const;
    for (const { url, method, taken } of others) {
      const refuse = async (_request: FastifyRequest, reply: FastifyReply) => {
        throw methodRefusal(reply, taken);
      };
      const route = { url, method: [...method], schema, config: sending, exposeHeadRoute: false };
      // Refused before the body is read, which may be of any type.
      scope.route({ ...route, onRequest: refuse, handler: refuse });
    }
  });
}

/** The lock of one upload for the tus server. */
function lockOf(resumable: Resumable, key: string): Lock {
  let release: (() => Promise<void>) | undefined;
  return {
    async lock(signal, endRequest) {
      release = await resumable.hold(key, signal, endRequest);
      if (!release) throw ERRORS.ERR_LOCK_TIMEOUT;
    },
    unlock: async () => await release?.(),
  };
}

function requireTus({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers['tus-resumable'] !== version) {
    reply.header('tus-version', version);
    throw new Refusal('invalid_input', { what: 'tus' }, undefined, 412);
  }
  if (headers['upload-concat'] !== undefined)
    throw new Refusal('invalid_input', { what: 'upload_join' }, undefined, 501);
  if (headers['upload-checksum'] !== undefined)
    throw new Refusal('invalid_input', { what: 'upload_checksum' }, undefined, 501);
}

/** Some networks allow only GET and POST; the protocol has a header for the intended method. */
function methodOf({ method, headers, raw }: FastifyRequest, reply: FastifyReply): string {
  if (method !== 'POST') return method;
  const intended = headers['x-http-method-override'];
  if (intended !== 'PATCH' && intended !== 'DELETE' && intended !== 'HEAD')
    throw methodRefusal(reply, methodsOfOne);
  raw.method = intended;
  return intended;
}

const methodsOfOne = 'HEAD, PATCH and DELETE';

function methodRefusal(reply: FastifyReply, taken: string): Refusal {
  reply.header('allow', `${taken.replace(' and ', ', ')}, OPTIONS`);
  return new Refusal('invalid_input', { what: 'upload_method', methods: taken }, undefined, 405);
}

/**
 * How many bytes of a piece have to be stored. The tus server refuses a piece that is longer than the rest of its file, so it needs no disk
 * space.
 */
async function expectedBytes(
  { headers, params }: FastifyRequest<{ Params: { key: string } }>,
  resumable: Resumable,
): Promise<number> {
  const most = (await resumable.find(params.key))?.most ?? 0;
  const declared = Number(headers['upload-length'] ?? most);
  const rest = Math.min(most, declared) - Number(headers['upload-offset']);
  return Math.max(0, Math.min(Number(headers['content-length'] ?? 0), rest)) || 0;
}

function announcedBy(request: FastifyRequest) {
  const length = request.headers['upload-length'];
  const { kind, original } = metadataOf(request);
  if (length === undefined && request.headers['upload-defer-length'] === '1')
    return { bytes: undefined, kind, original };
  return { bytes: /^\d{1,15}$/.test(String(length)) ? Number(length) : Number.NaN, kind, original };
}

function metadataOf({ headers }: FastifyRequest): Record<string, string | null> {
  try {
    return Metadata.parse(String(headers['upload-metadata'] ?? ''));
  } catch {
    throw new Refusal('invalid_input', { what: 'upload_metadata' });
  }
}

/** Passes the request to the tus server, with the headers that all our responses have, including one that aborts a slow body. */
async function passToTus(tus: TusServer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('tus-resumable', version).hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  await tus.handle(request.raw, reply.raw);
}
