import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { Failure } from '#contract/failure.ts';
import { reasonIn } from '#contract/invalid.ts';
import { DatabaseUnresponsive } from '../platform/database/availability.ts';
import { Overloaded, Refusal } from '../platform/refusal.ts';
import { asTransientRefusal } from '../platform/transient-errors.ts';

/** Seconds for `Retry-After` after a temporary failure. */
const defaultRetryAfter = 2;

/** Turns any error into the common failure response (decisions §2), without internal details. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error);
  // An unresponsive database is logged once and overload is counted, so single requests do not log them.
  const isReported = error instanceof DatabaseUnresponsive || error instanceof Overloaded;
  // 501 means that a feature is not supported, which is no error of the server.
  if (refusal.status >= 500 && refusal.status !== 501 && !isReported) request.log.error(error);
  const retryAfter = retryAfterOf(refusal);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply.code(refusal.status).send(failureOf(refusal, request.id));
}

/** Seconds until the client may retry; undefined if a retry is useless. */
export function retryAfterOf(refusal: Refusal): number | undefined {
  return refusal.retryAfter ?? (refusal.status === 503 ? defaultRetryAfter : undefined);
}

export function failureOf(refusal: Refusal, requestId: string): Failure {
  return {
    status: 'error',
    success: false,
    error: refusal.message,
    message: refusal.message,
    code: refusal.code,
    ...(refusal.field === undefined ? {} : { field: refusal.field }),
    params: refusal.params,
    ...(refusal.others.length === 0 ? {} : { fields: [refusal, ...refusal.others].map(ofField) }),
    requestId,
  };
}

export function ofField({ code, message: error, params, field = '' }: Refusal) {
  return { field, error, code, params };
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    return invalidInput(
      error.validation.map((fault) => ({
        path: fault.instancePath.split('/').filter(Boolean),
        message: fault.message ?? '',
      })),
    );
  }
  return asTransientRefusal(error) ?? fromFramework(error as FastifyError);
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** Returns the first problem of each field. Missing fields come before malformed ones (specification §5). */
export function invalidInput(issues: readonly Issue[]): Refusal {
  const byField = new Map<unknown, Issue>();
  for (const issue of issues.toSorted((a, b) => rankOf(a) - rankOf(b)))
    if (!byField.has(issue.path[0])) byField.set(issue.path[0], issue);
  const [first, ...others] = [...byField.values()].map(ofIssue);
  if (!first) return new Refusal('invalid_input', { what: 'request' });
  first.others = others.filter(({ field }) => field !== undefined);
  return first;
}

const rankOf = ({ message }: Issue) => (reasonIn(message)?.code === 'missing_fields' ? 0 : 1);

/** A schema that has no message of ours for a problem names only the field. */
function ofIssue({ path: [name], message }: Issue): Refusal {
  const field = name === undefined ? undefined : String(name);
  const reason = reasonIn(message);
  if (reason) return Refusal.again({ ...reason, field });
  return field === undefined
    ? new Refusal('invalid_input', { what: 'request' })
    : new Refusal('invalid_input', { what: 'field', field }, field);
}

/** Translates errors that the HTTP framework throws before a rule runs. */
function fromFramework(error: FastifyError): Refusal {
  if (error.statusCode === 429) return new Refusal('too_many_requests', { what: 'later' });
  if (error.statusCode === 413) return new Refusal('file_too_large', { what: 'request' });
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new Refusal('invalid_input', { what: 'unreadable' }, undefined, error.statusCode);
  }
  return new Refusal('internal');
}
