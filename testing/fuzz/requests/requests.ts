import fc, { type Arbitrary } from 'fast-check';
import type { InjectOptions } from 'fastify';
import { multipart } from '#testing/servers/test-server.ts';
import type { Operation } from './document.ts';
import { type Known, oddStrings, valuesOf } from './from-schema.ts';

/** A request in parts, before it becomes bytes. */
export interface RequestParts {
  path: Record<string, string>;
  query: [name: string, value: string][];
  /** Undefined: no body is sent. */
  body: unknown;
  file: Uint8Array<ArrayBuffer> | undefined;
}

/** Valid requests, by the document. */
export function requestsOf(
  operation: Operation,
  known: Known,
  files: readonly Uint8Array<ArrayBuffer>[],
): Arbitrary<RequestParts> {
  const parameters = (place: 'path' | 'query') => operation.parameters.filter((one) => one.in === place);
  const texts = (place: 'path' | 'query') =>
    fc.record(
      Object.fromEntries(
        parameters(place).map(({ name, schema }) => [name, valuesOf(schema, known, name).map(String)]),
      ),
      { requiredKeys: parameters(place).flatMap(({ name, required }) => (required ? [name] : [])) },
    );
  return fc.record({
    // Nothing, or only dots, between two slashes would be another URL.
    path: texts('path').map((found) => mapValues(found, (value) => (/^\.{0,2}$/.test(value) ? 'x' : value))),
    query: fc.tuple(texts('query'), noise()).map(([known, more]) => [...Object.entries(known), ...more]),
    body: operation.body ? withExtras(valuesOf(operation.body, known)) : fc.constant(undefined),
    file: operation.takesFile ? fc.constantFrom(...files) : fc.constant(undefined),
  });
}

/** Unknown parameters. */
const noise = (): Arbitrary<[string, string][]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.tuple(fc.constantFrom('x', '__proto__', 'a[b]', '🙂'), fc.constantFrom(...oddStrings)),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    },
  );

/** Unknown fields, some of them nested. */
const withExtras = (bodies: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(bodies, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: extras }))
    .map(([body, more]) => ({ ...more, ...(body as object) }));

const extras = fc.dictionary(fc.constantFrom('extra', 'toString', '', '🙂', 'role', '_id'), fc.jsonValue(), {
  minKeys: 1,
});

/** The bytes of a request. */
export async function written({ method, path }: Operation, parts: RequestParts): Promise<InjectOptions> {
  const sent =
    parts.file !== undefined
      ? await multipart(parts.file, 'file', 'a.bin', 'application/octet-stream')
      : parts.body !== undefined
        ? { payload: JSON.stringify(parts.body), headers: { 'content-type': 'application/json' } }
        : {};
  return { method, url: addressOf(path, parts), ...sent };
}

export function addressOf(
  path: string,
  { path: named, query }: Pick<RequestParts, 'path' | 'query'>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(named[name] ?? ''));
  const known = query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
  return known ? `${filled}?${known}` : filled;
}

/** A lone surrogate cannot be part of a URL. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

export function mapValues<T, U>(values: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
