import { type ErrorCode, errorStatus } from '#contract/errors.ts';
import type { SentenceOf } from '#contract/sentences.ts';

/** A code, one of its sentences in `contract/sentences.ts`, the field it is about, and a status that replaces the code's default. */
type RefusalArguments = {
  [C in ErrorCode]: [code: C, sentence: SentenceOf<C>, field?: string | undefined, status?: number];
}[ErrorCode];

/** A request that breaks a rule. `http/failures.ts` turns it into the response; the sentence is shown to people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  /** The field of the request body that the sentence is about. */
  readonly field: string | undefined;
  /** Seconds after which the client may retry. */
  retryAfter: number | undefined;
  /** Refusals for other fields of the same body. */
  others: readonly Refusal[] = [];

  constructor(...[code, sentence, field, status = errorStatus[code]]: RefusalArguments) {
    super(sentence);
    this.code = code;
    this.status = status;
    this.field = field;
  }

  /** Recreates a refusal from another process, a stored result, or the validation of a body. */
  static again<R extends Refusal>(
    this: new (
      ...args: RefusalArguments
    ) => R,
    { code, sentence, field }: { code: ErrorCode; sentence: string; field?: string | undefined },
  ): R {
    return new this(...([code, sentence, field] as unknown as RefusalArguments));
  }
}

export function notFound(sentence: SentenceOf<'not_found'>): Refusal {
  return new Refusal('not_found', sentence);
}

export function notSignedIn(): Refusal {
  return new Refusal('not_signed_in', 'Please log in.');
}

export function factorRequired(): Refusal {
  return new Refusal(
    'second_factor_required',
    'Operators need a second factor: set it up on the page Settings, or give its code there.',
  );
}

export function suspended(): Refusal {
  return new Refusal('suspended', 'This account is suspended. Please contact us.');
}

export function videoTooLong(maxSeconds: number, field?: string): Refusal {
  return new Refusal(
    'video_too_long',
    `This video is longer than ${maxSeconds / 60} minutes; please choose a shorter one.`,
    field,
  );
}

export function fileTooLarge(maxBytes: number): Refusal {
  const kilobytes = Math.floor(maxBytes / 1024);
  const sentence =
    kilobytes < 1024
      ? (`This file is larger than ${kilobytes} KB.` as const)
      : (`This file is larger than ${Math.floor(kilobytes / 1024)} MB.` as const);
  return new Refusal('file_too_large', sentence, 'file');
}

export function fileEmpty(): Refusal {
  return new Refusal('file_empty', 'This file is empty.', 'file');
}

/** Rate limit exceeded: the client may retry after this number of seconds. */
export function tooManyRequests(seconds: number): Refusal {
  const wait = seconds === 1 ? ('1 second' as const) : (`${seconds} seconds` as const);
  const refusal = new Refusal('too_many_requests', `Too many tries. Please wait ${wait} and try again.`);
  refusal.retryAfter = seconds;
  return refusal;
}

/** A temporary failure of the server: the client may retry soon. */
export function unavailable(
  sentence: SentenceOf<'unavailable'> = 'Jhalak cannot do this right now. Please try again in a moment.',
): Refusal {
  return new Refusal('unavailable', sentence);
}

/** The server is overloaded. Such refusals are counted by a metric and not logged, because there are too many. */
export class Overloaded extends Refusal {
  override readonly retryAfter = 2;

  constructor() {
    super('unavailable', 'Jhalak is very busy right now. Please try again in a moment.');
  }
}

/** The file storage cannot be used now; `cause` is for the log. */
export function storageUnavailable(cause: unknown): Refusal {
  const refusal = unavailable('We cannot reach our file storage right now. Please try again in a minute.');
  refusal.retryAfter = 30;
  refusal.cause = cause;
  return refusal;
}

/** The machine had no time for this request; `cause` is for the log. */
export function machineBusy(cause: unknown): Refusal {
  const refusal = unavailable('Jhalak is very busy right now. Please try again in a moment.');
  refusal.retryAfter = 30;
  refusal.cause = cause;
  return refusal;
}
