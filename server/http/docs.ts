import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { renderDocs } from './docs-page.ts';

/** The contract as an OpenAPI 3.1 document, and a page to read it. Registered before the routes it describes. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Jhalak',
        version: '1',
        description:
          'Who is asking is `Authorization: Bearer <token>`, the token of POST /api/signin. Success is 2xx with `status: "ok"`; failure has `error`, `message`, `code` and `requestId`. Lists are paged by `limit` and `cursor`.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (input) => {
      const transformed = jsonSchemaTransform(input);
      return { ...transformed, schema: withFile(transformed.schema as Schema, input.schema as Schema) };
    },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(renderDocs(app.swagger())),
  );
}

interface Schema {
  consumes?: string[];
  body?: unknown;
  [key: string]: unknown;
}

/** Says of a multipart call what its one part is. */
function withFile(transformed: Schema, declared: Schema): Schema {
  if (!declared.consumes?.includes('multipart/form-data')) return transformed;
  return {
    ...transformed,
    body: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  };
}
