import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { dailyLimits } from './limits.ts';
import type { NeededRole } from './roles.ts';
import type { ValuesOf } from './sentences.ts';

/** Who may call: anyone; anyone, with an optional bearer token; a signed-in person; an operator. */
export type Access = 'anyone' | 'known' | 'person' | 'operator';

/**
 * Requests a minute of 5,000 honest people behind one carrier's address. This is only a backstop: fairness between
 * clients is the task of the fair queue (decision 0026).
 */
export const crowd = 100_000;

/**
 * Rate limit in requests a minute. `perPerson` counts a signed-in person on all devices and networks together.
 * `perNetwork` counts all clients behind one IPv4 address or in one IPv6 /48; its default is `crowd`.
 * `perViewer` counts a visitor without a login by the `viewer` of the body, within one network.
 * `perDay` names a limit of a day, which calls with the same name share.
 */
export type Limit = ({ perPerson: number; perNetwork?: number } | { perNetwork: number }) & {
  perViewer?: number;
  perDay?: keyof typeof dailyLimits;
};

export interface FileUpload {
  /** Largest accepted file, in bytes. */
  maxBytes: number;
  /** Name of the sentence of `file_missing`, if it is not the general one. */
  missing?: keyof ValuesOf<'file_missing'>;
  /** Whether it waits for publication, and so counts against the limits of `unpublished` in GET /api/config. */
  waits?: boolean;
}

/** A response that is a streamed file instead of JSON. */
export interface FileAnswer {
  mediaType: string;
}

/** Who may call; of operators those with this role. */
type Allowed =
  | { access: Exclude<Access, 'operator'>; role?: never }
  | { access: 'operator'; role: NeededRole };

interface Definition {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/api/${string}`;
  summary: string;
  tag: string;
  limit: Limit;
  /**
   * Maximum duration of a response in seconds, if it may be longer than the minute after which an idle connection is
   * closed.
   */
  seconds?: number;
  /**
   * Whether the response is the same for everybody and may be cached, for a second or until lists change. With access `known` it is
   * the same for everybody except signed-in people with a block, who get a response of their own (decision 0080).
   */
  cached?: true;
  /** Whether the call may change what lists contain. If it does, cached lists and pages are evicted. */
  changesLists?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The upload of a multipart/form-data body with one part named `file`. */
  file?: FileUpload;
  /** A webhook: the handler gets the raw body, which is signed, and these headers, which have the signature. */
  signed?: { maxBytes: number; headers: readonly string[] };
  response: z.ZodObject | FileAnswer;
  /** Error codes of this call in addition to those of every call (see `errors.ts`). */
  errors?: readonly ErrorCode[];
}

/**
 * The definition of one endpoint: purpose, access, rate limit, input and output. Server validation, client types and
 * the OpenAPI document are derived from it.
 */
export type Endpoint = Definition & Allowed;

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The validated input of a handler. */
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

/** The input of a caller. */
export type Call<E extends Endpoint> = Optionally<'params', Sent<E['params']>> &
  Optionally<'query', Sent<E['query']>> &
  Optionally<'body', Sent<E['body']>>;

/** A file to be sent. Its bytes are produced as fast as they are read. */
export interface OutgoingFile {
  /** File name for the download, in ASCII. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** The result of a handler: the response without `status`, which is added (other fields are removed), or a file. */
export type AnswerOf<E extends Endpoint> = E['response'] extends z.ZodObject
  ? Omit<z.input<E['response']>, 'status'>
  : OutgoingFile;

/** The result for a caller. Files have none, since browsers download them by their address. */
export type Result<E extends Endpoint> = E['response'] extends z.ZodObject ? z.output<E['response']> : never;

export function answersFile(response: Endpoint['response']): response is FileAnswer {
  return 'mediaType' in response;
}

/** The schema of a successful response: `status: "ok"` and the given fields (decisions §2). */
export function ok<const S extends z.ZodRawShape>(shape: S) {
  return z.object({ status: z.literal('ok'), ...shape });
}
