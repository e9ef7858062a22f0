import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formPages } from '#contract/form-pages.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { asRefusal, retryAfterOf } from '../failures.ts';

/** Handles a form that the browser sent itself, because the page's script was not running. */
export type AnswerForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
) => Promise<FastifyReply>;

/**
 * Registers POST for the pages of `formPages` (decision 0032). A form shares the rate limit of the endpoint that it calls. A refusal before
 * rendering is one line of plain text: it is cheap, and the browser's Back button shows the form with its input.
 */
export function registerFormPosts(app: FastifyInstance, origin: string | undefined, answer: AnswerForm) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = asRefusal(error);
      if (refusal.status >= 500) request.log.error(error);
      const retryAfter = retryAfterOf(refusal);
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
      // The rate limit of a network refuses before the hook below runs.
      reply.header('cache-control', 'no-store');
      return reply.code(refusal.status).type('text/plain; charset=utf-8').send(refusal.message);
    });
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!isFromOwnPage(request, origin)) throw new Refusal('not_allowed', { what: 'form' });
    });
    for (const [path, { method, path: callPath, limit }] of Object.entries(formPages))
      scope.post<{ Body: string }>(
        path,
        { schema: { hide: true }, config: { limit: { name: `${method} ${callPath}`, limit } } },
        (request, reply) => answer(request, reply, request.body ?? ''),
      );
  });
}

/**
 * Whether the form was sent from a page of this site, by the `Origin` header, or else by `Sec-Fetch-Site` or `Referer`. A
 * request without any of them is refused.
 */
function isFromOwnPage({ headers }: FastifyRequest, configured: string | undefined): boolean {
  const isOurs = (address: string) => {
    const sender = URL.parse(address);
    if (!sender) return false;
    // Without ORIGIN only the host is compared: a proxy in front may use https while we do not.
    const own = configured ?? `${sender.protocol}//${headers.host}`;
    return sender.origin === URL.parse(own)?.origin;
  };
  if (headers.origin !== undefined) return isOurs(headers.origin);
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin';
  return isOurs(headers.referer ?? '');
}
