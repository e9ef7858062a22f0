import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import { failure } from '../../contract/errors.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Caller, Request, Route } from '../platform/route.ts';
import type { Storage } from '../platform/storage.ts';
import { receiveFile } from './receive-file.ts';

type FindCaller = (token: string) => Promise<Caller | undefined>;

/** Serves every route: who is asking, what they send, the rule, what goes back; all by its contract. */
export function registerApi(
  app: FastifyInstance,
  routes: readonly Route[],
  storage: Storage,
  findCaller: FindCaller,
) {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const route of routes) {
    const { endpoint } = route;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint),
      ...(endpoint.limit
        ? { config: { rateLimit: { max: endpoint.limit.perMinute, timeWindow: 60_000 } } }
        : {}),
      handler: async (request) => {
        const token = bearerOf(request);
        const caller = endpoint.access === 'anyone' || !token ? undefined : await findCaller(token);
        allow(endpoint, caller);
        const answer = await route.handle({
          params: request.params,
          query: request.query,
          body: request.body,
          caller,
          token,
          address: request.ip,
          userAgent: request.headers['user-agent'] ?? '',
          file: endpoint.file ? await receiveFile(request, storage, endpoint.file.maxBytes) : undefined,
        } as unknown as Request<Endpoint>);
        return { status: 'ok', ...answer };
      },
    });
  }
}

function allow(endpoint: Endpoint, caller: Caller | undefined): void {
  if (endpoint.access === 'anyone' || endpoint.access === 'known') return;
  if (!caller) throw new Refusal('not_signed_in', 'Please log in.');
  if (endpoint.access === 'operator' && caller.role !== 'operator') {
    throw new Refusal('not_allowed', 'Only operators may do this.');
  }
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
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
    response: { 200: endpoint.response, '4xx': failure, '5xx': failure },
  };
}
