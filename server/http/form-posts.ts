import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formPages } from '#contract/form-pages.ts';
import { Refusal } from '../platform/refusal.ts';
import { asRefusal, retryAfterOf } from './failures.ts';

/** Answers a form of a page that was sent by the browser itself, because no script was there to send it. */
export type AnswerForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
) => Promise<FastifyReply>;

/**
 * Lets the pages of `formPages` be sent their form (decision 0032). Each is counted with the call that it makes. A refusal
 * before the page is made is one line of plain text: it costs little, and Back shows the form as it was typed.
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
      return reply.code(refusal.status).type('text/plain; charset=utf-8').send(refusal.message);
    });
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!isFromOwnPage(request, origin))
        throw new Refusal('not_allowed', 'This form was not sent from a page of this site.');
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
 * Whether a form was sent by a page of ours. Browsers say so by `Origin`; those that do not, by `Sec-Fetch-Site` or
 * `Referer`. Who says nothing is refused.
 */
function isFromOwnPage({ headers }: FastifyRequest, configured: string | undefined): boolean {
  const isOurs = (address: string) => {
    const sender = URL.parse(address);
    if (!sender) return false;
    // Without the setting only the host is known: a proxy in front may speak https where we do not.
    const own = configured ?? `${sender.protocol}//${headers.host}`;
    return sender.origin === URL.parse(own)?.origin;
  };
  if (headers.origin !== undefined) return isOurs(headers.origin);
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin';
  return isOurs(headers.referer ?? '');
}
