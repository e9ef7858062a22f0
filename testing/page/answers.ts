import { onTestFinished, vi } from 'vitest';
import type { z } from 'zod';
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts';
import type { Failure } from '#contract/failure.ts';

/** A call that the page made. */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  /** From JSON, or the form of a file. */
  body: unknown;
}

/** A response that is no success: a refusal of the server, another body, or none. */
type NoSuccess = Response | 'no answer';
type Answer<E extends Endpoint> = AnswerOf<E> | NoSuccess;
/** An answer that is known when the call comes, or later. */
type Answering<E extends Endpoint> = Answer<E> | ((asked: Asked) => Answer<E> | Promise<Answer<E>>);

interface Taken {
  endpoint: Endpoint;
  answers: Answering<Endpoint>[];
}

/** A refusal as the server words it (contract/failure.ts). */
export function refusal(
  status: number,
  code: string,
  sentence: string,
  more: Partial<Pick<Failure, 'field' | 'params' | 'fields'>> = {},
): Response {
  const failure = { status: 'error', success: false, error: sentence, message: sentence, code };
  return Response.json({ ...failure, params: {}, requestId: 'x', ...more }, { status });
}

/**
 * Answers the calls of the page in this test, in place of the server. An answer that the contract does not know is an error, and so is a
 * call for which the test has none.
 */
export function answerCalls() {
  const taken: Taken[] = [];
  const asked: Asked[] = [];
  const unexpected: string[] = [];
  vi.stubGlobal('fetch', async (input: string, { method = 'GET', body = null }: RequestInit = {}) => {
    const { pathname: path, searchParams } = new URL(input, 'http://localhost');
    const one: Asked = {
      method,
      path,
      query: Object.fromEntries(searchParams),
      body: typeof body === 'string' ? JSON.parse(body) : body,
    };
    asked.push(one);
    const found = taken.find(({ endpoint }) => endpoint.method === method && isAt(endpoint.path, path));
    if (!found) {
      unexpected.push(`${method} ${path}`);
      return refusal(404, 'not_found', `The test does not answer ${method} ${path}.`);
    }
    const { endpoint, answers } = found;
    const next = answers.length > 1 ? answers.shift() : answers[0];
    const answer = typeof next === 'function' ? await next(one) : next;
    if (answer === 'no answer') throw new TypeError('Failed to fetch');
    if (answer instanceof Response) return answer.clone();
    return Response.json((endpoint.response as z.ZodObject).parse({ status: 'ok', ...answer }));
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    if (unexpected.length > 0) throw new Error(`calls without an answer: ${unexpected.join(', ')}`);
  });
  return {
    /** The calls so far. */
    asked,
    /** The calls of an endpoint so far. */
    askedOf: ({ method, path }: Endpoint) =>
      asked.filter((one) => one.method === method && isAt(path, one.path)),
    /** Answers a call from now on: by each answer once, and by the last one ever after. */
    on<E extends Endpoint>(endpoint: E, ...answers: Answering<E>[]): void {
      const before = taken.findIndex((one) => one.endpoint === endpoint);
      if (before !== -1) taken.splice(before, 1);
      taken.push({ endpoint, answers: answers as Answering<Endpoint>[] });
    },
  };
}

function isAt(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')];
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
  );
}
