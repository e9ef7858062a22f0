import { Readable } from 'node:stream';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type ConfirmedAct, confirmationHeader, confirmedCalls } from '#contract/confirmation.ts';
import { answersFile, type Endpoint, type FileUpload, type OutgoingFile } from '#contract/endpoint.ts';
import { failure } from '#contract/failure.ts';
import { mayCall } from '#contract/roles.ts';
import type { Unpublished } from '#server/features/uploads/unpublished.ts';
import { missingReference, retryOnConflict } from '#server/platform/database/conflicts.ts';
import { factorRequired, notFound, notSignedIn, Refusal } from '#server/platform/refusal.ts';
import type { Caller, Cookies, Outcome, Request, Route, Signed } from '#server/platform/route.ts';
import { holding, type Inbox } from '#server/platform/storage.ts';
import { cachedOf, type ResponseCache } from '../cache/response-cache.ts';
import { sendCached } from '../cache/serve-cached.ts';
import { bearerOf, type FindCaller, findCallerOf } from '../caller.ts';
import { originOf } from '../host.ts';
import { exemptFromConcurrencyLimit } from '../limits/load-shedding.ts';
import { type CheckDiskSpace, receiveFile } from './receive-file.ts';

/** Caches in front of this server may store a response to a visitor for as long as it does. */
const cachedControl = 'public, max-age=0, s-maxage=1';

const actOf = new Map(
  [...confirmedCalls].map(([act, { method, path }]) => [`${method} ${path}`, act] as const),
);

export type RequireConfirmation = (
  caller: Caller,
  call: { act: ConfirmedAct; input: object },
  secret: string | undefined,
) => Promise<void>;

interface ApiParts {
  routes: readonly Route[];
  storage: Inbox;
  findCaller: FindCaller;
  checkDiskSpace: CheckDiskSpace;
  unpublished: Unpublished;
  cache: ResponseCache;
  /** Whether lists are different for this person than for everybody else. */
  hasBlocks: (personId: string) => Promise<boolean>;
  /** Throws unless the act is confirmed. */
  requireConfirmation: RequireConfirmation;
  /** Scheme and host of the site, if ORIGIN is set. */
  origin: string | undefined;
}

/** Registers every endpoint of the contract: access control, validation, the rule, and the response schema. */
export function registerApi(app: FastifyInstance, parts: ApiParts) {
  const { routes, storage, findCaller, checkDiskSpace, cache, unpublished } = parts;
  const { hasBlocks, requireConfirmation, origin } = parts;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const secure = origin?.startsWith('https:') ?? false;
  const callers = new WeakMap<FastifyRequest, Caller | undefined>();
  /** Functions that release the quota which a running upload has reserved. */
  const quotaReleases = new WeakMap<FastifyRequest, () => void>();

  const callerOf = (request: FastifyRequest) => findCallerOf(request, findCaller);

  /** An upload may take long, so access is checked again when the file is complete. */
  async function receiveFrom(request: FastifyRequest, endpoint: Endpoint, upload: FileUpload) {
    const admit = async (bytes: number) => {
      const sender = upload.waits && callers.get(request);
      const expected = { files: 1, bytes: bytes || upload.maxBytes };
      if (sender) quotaReleases.set(request, await unpublished.enter(sender.id, expected));
      await checkDiskSpace(bytes);
    };
    const file = await receiveFile(request, storage, admit, upload);
    try {
      allow(endpoint, await callerOf(request));
      return file;
    } catch (error) {
      await file.release();
      throw error;
    }
  }

  /** Answers a list: with the cached response of everybody, or to a person with blocks with one of their own. */
  async function answerList(
    route: Route,
    input: Request<Endpoint>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { endpoint } = route;
    const { caller } = input as { caller?: Caller };
    const isOwn = caller !== undefined && (await hasBlocks(caller.id));
    const asked = isOwn ? input : ({ ...input, caller: undefined } as unknown as Request<Endpoint>);
    const render = async () => ({
      status: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': cachedControl,
        vary: endpoint.access === 'known' ? 'accept-encoding, authorization' : 'accept-encoding',
      },
      body: Buffer.from(
        reply.serialize({ status: 'ok', ...(await outcomeOf(route, asked)).answer }) as string,
      ),
    });
    const response = isOwn
      ? cachedOf(await render())
      : await cache.get(keyOfValid(endpoint, request), render);
    reply.headers(response.headers);
    // No cache in front stores what a signed-in person gets, and the headers do not show who has blocks.
    if (caller) reply.header('cache-control', 'no-store');
    return await sendCached(request, reply, response, caller === undefined);
  }

  const [ofServices, ofPeople] = [true, false].map((signed) =>
    routes.filter(({ endpoint }) => (endpoint.signed !== undefined) === signed),
  ) as [Route[], Route[]];
  for (const route of ofPeople) register(app, route);
  app.register(async (scope) => {
    // The signature covers the bytes, not the parsed content.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
    for (const route of ofServices) register(scope, route);
  });

  function register(to: FastifyInstance, route: Route): void {
    const { endpoint } = route;
    const act = actOf.get(`${endpoint.method} ${endpoint.path}`);
    const needsNoBody = endpoint.body?.safeParse({}).success;
    to.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint),
      ...(endpoint.signed ? { bodyLimit: endpoint.signed.maxBytes } : {}),
      config: {
        limit: { name: `${endpoint.method} ${endpoint.path}`, limit: endpoint.limit },
        // These requests mostly wait for the network, so they cost the server little.
        ...(endpoint.file || endpoint.seconds ? exemptFromConcurrencyLimit : {}),
        ...(endpoint.cached ? { cacheKey: createCacheKey(endpoint) } : {}),
      },
      ...(answersFile(endpoint.response) ? { exposeHeadRoute: false } : {}),
      // Access is checked before validation, so that a caller without access learns nothing about the input.
      preValidation: async (request) => {
        if (needsNoBody && request.headers['content-type'] === undefined) request.body ??= {};
        const caller = endpoint.access === 'anyone' ? undefined : await callerOf(request);
        allow(endpoint, caller);
        callers.set(request, caller);
        if (caller) await request.countPerson(caller.id);
      },
      handler: async (request, reply) => {
        reply.raw.once('close', () => quotaReleases.get(request)?.());
        // A request made in process has no real socket.
        if (endpoint.seconds) request.raw.socket.setTimeout?.(endpoint.seconds * 1000);
        const caller = callers.get(request);
        const viewer = endpoint.limit.perViewer && (request.body as { viewer?: string }).viewer;
        if (viewer && !caller) await request.countViewer(viewer);
        if (act && caller)
          await requireConfirmation(
            caller,
            { act, input: { ...(request.params as object), ...(request.body as object | undefined) } },
            request.headers[confirmationHeader]?.toString(),
          );
        const received = endpoint.file && (await receiveFrom(request, endpoint, endpoint.file));
        return await holding(received, async (file) => {
          const input = {
            params: request.params,
            query: request.query,
            body: request.body,
            caller,
            token: bearerOf(request),
            address: request.ip,
            userAgent: request.headers['user-agent'] ?? '',
            cookies: cookiesOf(request, reply, secure),
            origin: () => originOf(request, origin),
            file,
            signed: endpoint.signed && signedOf(request, endpoint.signed.headers),
          } as unknown as Request<Endpoint>;
          if (endpoint.cached) return answerList(route, input, request, reply);
          const { answer, changed } = await outcomeOf(route, input);
          if (changed) cache.expireAll();
          if (answersFile(endpoint.response))
            return sendFile(reply, endpoint.response.mediaType, answer as OutgoingFile);
          return { status: 'ok', ...answer };
        });
      },
    });
  }
}

function signedOf({ body, headers }: FastifyRequest, names: readonly string[]): Signed {
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.of(),
    headers: Object.fromEntries(names.map((name) => [name, headers[name]?.toString()])),
  };
}

function cookiesOf({ headers }: FastifyRequest, reply: FastifyReply, secure: boolean): Cookies {
  return {
    read: (name) => parseCookie(headers.cookie ?? '')[name],
    set: (cookie) =>
      void reply.header(
        'set-cookie',
        stringifySetCookie({ ...cookie, httpOnly: true, sameSite: 'strict', secure }),
      ),
  };
}

/** Maximum number of URLs of an endpoint whose cache keys are cached. */
const maxRememberedKeys = 500;

/**
 * The cache key of a request whose input has not been validated: `limit=024` and `limit=24` have the same. Undefined if it is
 * not valid, or if the response may depend on the token. Validating costs more than serving a cached response, so the keys of recent URLs are remembered.
 */
function createCacheKey(endpoint: Endpoint): (request: FastifyRequest) => string | undefined {
  const keys = new Map<string, string>();
  return ({ url, params, query, headers }) => {
    if (endpoint.access === 'known' && headers.authorization !== undefined) return undefined;
    const known = keys.get(url);
    if (known !== undefined) return known;
    const [ofPath, ofQuery] = [endpoint.params?.safeParse(params), endpoint.query?.safeParse(query)];
    if (ofPath?.success === false || ofQuery?.success === false) return undefined;
    const key = keyOfValid(endpoint, { params: ofPath?.data, query: ofQuery?.data });
    if (keys.size >= maxRememberedKeys) keys.clear();
    keys.set(url, key);
    return key;
  };
}

/** Everything that the answer depends on; what the endpoint does not read is left out. */
const keyOfValid = ({ path, params, query }: Endpoint, valid: Pick<FastifyRequest, 'params' | 'query'>) =>
  `${path} ${JSON.stringify([params && valid.params, query && valid.query])}`;

/** Runs the rule, again after a deadlock. Rules can be repeated safely, except those that consume an uploaded file. */
async function outcomeOf({ endpoint, handle }: Route, input: Request<Endpoint>): Promise<Outcome> {
  try {
    return await (endpoint.file ? handle(input) : retryOnConflict(() => handle(input)));
  } catch (error) {
    const missing = missingReference(error);
    if (!missing) throw error;
    if (!input.caller || missing === input.caller.id) throw new Refusal('not_signed_in', { what: 'gone' });
    throw notFound('gone');
  }
}

/** Streams a file as a download. Backpressure slows its producer down, and a closed connection stops it. */
function sendFile(reply: FastifyReply, mediaType: string, { name, bytes }: OutgoingFile): FastifyReply {
  return reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'private, no-store')
    .send(Readable.from(bytes, { objectMode: false }));
}

function allow(endpoint: Endpoint, caller: Caller | undefined): void {
  if (endpoint.access === 'anyone' || endpoint.access === 'known') return;
  if (!caller) throw notSignedIn();
  // For others these calls do not exist (decisions §1).
  if (endpoint.access !== 'operator') return;
  if (caller.role === 'person') throw notFound('call');
  // Before the confirmation, which checks it again if the act needs that.
  if (!caller.session.factorAt) throw factorRequired();
  const { role } = endpoint;
  if (role !== 'any' && !mayCall(caller.role, role))
    throw new Refusal('not_allowed', { what: `for_${role}` });
}

function schemaOf(endpoint: Endpoint) {
  return {
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.access === 'anyone'
      ? {}
      : { security: endpoint.access === 'known' ? [{}, { bearer: [] }] : [{ bearer: [] }] }),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    ...(endpoint.file ? { consumes: ['multipart/form-data'] } : {}),
    ...(endpoint.signed ? { consumes: ['application/json'] } : {}),
    ...(answersFile(endpoint.response) ? { produces: [endpoint.response.mediaType] } : {}),
    response: {
      ...(answersFile(endpoint.response) ? {} : { 200: endpoint.response }),
      '4xx': failure,
      '5xx': failure,
    },
  };
}
