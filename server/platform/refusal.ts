import { type ErrorCode, errorStatus } from '#contract/errors.ts';
import {
  type Params,
  type ParamsArgument,
  type Reason,
  sentenceOf,
  type ValuesOf,
} from '#contract/sentences.ts';

/**
 * A code, the params of its sentence (`contract/sentences.ts`), the field it is about, and a status that replaces the code's default.
 */
type RefusalArguments = {
  [C in ErrorCode]: [code: C, ...params: ParamsArgument<C>, field?: string | undefined, status?: number];
}[ErrorCode];

/** A request that breaks a rule. `http/failures.ts` turns it into the response; the sentence is shown to people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  /** The values of the sentence; if its code has several sentences, with the name of this one as `what`. */
  readonly params: Params;
  /** The field of the request body that the sentence is about. */
  readonly field: string | undefined;
  /** Seconds after which the client may retry. */
  retryAfter: number | undefined;
  /** Refusals for other fields of the same body. */
  others: readonly Refusal[] = [];

  constructor(...[code, params = {}, field, status = errorStatus[code]]: RefusalArguments) {
    super(sentenceOf({ code, params }));
    this.code = code;
    this.status = status;
    this.params = params;
    this.field = field;
  }

  /** Recreates a refusal from another process, a stored result, or the validation of a body. */
  static again<R extends Refusal>(
    this: new (
      ...args: RefusalArguments
    ) => R,
    { code, params, field }: StoredRefusal,
  ): R {
    return new this(...([code, params, field] as unknown as RefusalArguments));
  }
}

/** A refusal as it is stored, or sent to another process. */
export type StoredRefusal = Reason<ErrorCode> & { field?: string | undefined };

export function notFound(what: keyof ValuesOf<'not_found'>): Refusal {
  return new Refusal('not_found', { what });
}

export function notSignedIn(): Refusal {
  return new Refusal('not_signed_in', { what: 'login' });
}

export function factorRequired(): Refusal {
  return new Refusal('second_factor_required');
}

/** `decisionId`: of the decision that suspended the account, which its owner can read without a login. */
export function suspended(decisionId?: string | null): Refusal {
  return decisionId
    ? new Refusal('suspended', { what: 'decision', address: `/report/${decisionId}` })
    : new Refusal('suspended', { what: 'contact' });
}

export function videoTooLong(maxSeconds: number, field?: string): Refusal {
  return new Refusal('video_too_long', { minutes: maxSeconds / 60 }, field);
}

export function fileTooLarge(maxBytes: number): Refusal {
  const kilobytes = Math.floor(maxBytes / 1024);
  return kilobytes < 1024
    ? new Refusal('file_too_large', { what: 'kilobytes', size: kilobytes }, 'file')
    : new Refusal('file_too_large', { what: 'megabytes', size: Math.floor(kilobytes / 1024) }, 'file');
}

export function fileEmpty(): Refusal {
  return new Refusal('file_empty', {}, 'file');
}

/** Rate limit exceeded: the client may retry after this number of seconds. */
export function tooManyRequests(seconds: number): Refusal {
  const refusal = new Refusal(
    'too_many_requests',
    seconds === 1 ? { what: 'second' } : { what: 'seconds', seconds },
  );
  refusal.retryAfter = seconds;
  return refusal;
}

/** A temporary failure of the server: the client may retry soon. */
export function unavailable(what: 'now' | 'busy' | 'storage' | 'files' = 'now'): Refusal {
  return new Refusal('unavailable', { what });
}

/** The server is overloaded. Such refusals are counted by a metric and not logged, because there are too many. */
export class Overloaded extends Refusal {
  override readonly retryAfter = 2;

  constructor() {
    super('unavailable', { what: 'busy' });
  }
}

/** The file storage cannot be used now; `cause` is for the log. */
export function storageUnavailable(cause: unknown): Refusal {
  const refusal = unavailable('storage');
  refusal.retryAfter = 30;
  refusal.cause = cause;
  return refusal;
}

/** The machine had no time for this request; `cause` is for the log. */
export function machineBusy(cause: unknown): Refusal {
  const refusal = unavailable('busy');
  refusal.retryAfter = 30;
  refusal.cause = cause;
  return refusal;
}
