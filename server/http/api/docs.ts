import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { serveFixed } from '../cache/serve-fixed.ts';
import { renderDocs } from './docs-page.ts';

/** The document changes only with a new version of the program. Few read it, and it is long. */
const cacheControl = 'public, max-age=300';
const limit = { name: 'docs', limit: { perNetwork: 600 } };

/** The contract as an OpenAPI 3.1 document, and a page to read it. Registered before the routes it describes. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Jhalak',
        version: '1',
        description:
          'Who is asking is `Authorization: Bearer <token>`, the token of POST /api/signin. Success is 2xx with `status: "ok"`; failure has `error`, `message`, `code` and `requestId`. Lists are paged by `limit` and `cursor`. A file can also be sent in pieces that survive a lost connection: tus 1.0.0 at /api/uploads with the bearer token, `Upload-Length`, and `Upload-Metadata` with `kind` (reel, thumbnail, post or story); then POST /api/uploads/{key}/finish answers what the multipart call of its kind answers.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (input) => {
      const transformed = jsonSchemaTransform(input);
      return {
        ...transformed,
        schema: withFiles(transformed.schema as Schema, input.schema as Schema | undefined),
      };
    },
  });
  serveFixed(app, {
    path: '/api/openapi.json',
    limit,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl },
    body: () => JSON.stringify(app.swagger()),
  });
  serveFixed(app, {
    path: '/api/docs',
    limit,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': cacheControl,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
    body: () => renderDocs(app.swagger()),
  });
}

interface Schema {
  consumes?: string[];
  produces?: string[];
  body?: unknown;
  response?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Adds the file part of multipart calls, and the type of files that calls return. */
function withFiles(transformed: Schema, { consumes, produces }: Schema = {}): Schema {
  const described = { ...transformed };
  if (consumes?.includes('multipart/form-data')) {
    const file = { type: 'string', format: 'binary' };
    described.body = { type: 'object', required: ['file'], properties: { file } };
  }
  if (produces) {
    const content = Object.fromEntries(
      produces.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    );
    // Failures of such a call are still JSON.
    delete described.produces;
    described.response = { ...described.response, 200: { description: 'The file', content } };
  }
  return described;
}
