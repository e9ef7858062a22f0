import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Who may call: anyone · anyone, and a bearer token is looked at when there is one · a signed-in person · an operator. */
export type Access = 'anyone' | 'known' | 'person' | 'operator';

/**
 * What 5,000 honest people behind one carrier's address may do in a minute. A backstop: what keeps a greedy client from
 * the others is the fair queue (decision 0026).
 */
export const crowd = 100_000;

/**
 * Rate limit: calls a minute. `perPerson` counts a signed-in person on all their devices and networks together.
 * `perNetwork` counts everybody behind one IPv4 address or in one IPv6 /48; its default is `crowd`.
 */
export type Limit = { perPerson: number; perNetwork?: number } | { perNetwork: number };

export interface FileUpload {
  /** Largest accepted file, in bytes. */
  maxBytes: number;
  /** Said when there is none. */
  missing?: string;
  /** It waits to be published: it counts among what its sender may have waiting (`unpublished` of GET /api/config). */
  waits?: boolean;
}

/** The answer is a file, streamed, and not JSON. */
export interface FileAnswer {
  mediaType: string;
}

/**
 * One call of the wire, told whole: what it is for, who may make it, how often, what goes in and what comes out.
 * The server validates and serialises by it, the client is typed by it, the OpenAPI document is printed from it.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  path: `/api/${string}`;
  summary: string;
  tag: string;
  access: Access;
  limit: Limit;
  /** How long an answer may take, in seconds, where that is longer than the minute after which a silent connection is ended. */
  seconds?: number;
  /**
   * The answer is the same for everybody and may be a second old, or until something is published or taken away; only
   * where `access` is `anyone`.
   */
  kept?: true;
  /** The call may change what lists contain. When it did, the cached lists and pages are evicted. */
  changesLists?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body is multipart/form-data with one part named `file`. */
  file?: FileUpload;
  response: z.ZodObject | FileAnswer;
  /** Error codes this call can answer beside those every call can (see `errors.ts`). */
  errors?: readonly ErrorCode[];
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler on the server gets, validated. */
export interface Received<E extends Endpoint> {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Parsed<E['body']>;
}

type Optionally<K extends string, T> = T extends undefined
  ? { [P in K]?: undefined }
  : Record<string, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };

/** What a caller sends. */
export type Call<E extends Endpoint> = Optionally<'params', Sent<E['params']>> &
  Optionally<'query', Sent<E['query']>> &
  Optionally<'body', Sent<E['body']>>;

/** A file on its way: its bytes are made as fast as they are taken. */
export interface OutgoingFile {
  /** What it is saved as; ASCII. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * What a handler on the server returns: `status` is added, and the response schema strips anything else; or a file,
 * where the call answers one.
 */
export type Answer<E extends Endpoint> = E['response'] extends z.ZodObject
  ? Omit<z.input<E['response']>, 'status'>
  : OutgoingFile;

/** What a caller gets back. A file is no business of a program's caller: its address is given to the browser. */
export type Result<E extends Endpoint> = E['response'] extends z.ZodObject ? z.output<E['response']> : never;

export function answersFile(response: Endpoint['response']): response is FileAnswer {
  return 'mediaType' in response;
}

/** A success answer: `status: "ok"` beside the named fields (decisions §2). */
export function ok<const S extends z.ZodRawShape>(shape: S) {
  return z.object({ status: z.literal('ok'), ...shape });
}
