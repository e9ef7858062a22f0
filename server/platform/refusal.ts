import { type ErrorCode, errorStatus } from '#contract/errors.ts';
import type { SentenceOf } from '#contract/sentences.ts';

/** A code, one of its sentences in `contract/sentences.ts`, the field it is about, and a status finer than the code's own. */
type Saying = {
  [C in ErrorCode]: [code: C, sentence: SentenceOf<C>, field?: string | undefined, status?: number];
}[ErrorCode];

/** A rule was broken. One place turns this into the answer (`http/failures.ts`); the sentence is for a person. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  /** The field of the body that the sentence is about. */
  readonly field: string | undefined;
  /** Seconds after which the same may be tried again. */
  retryAfter: number | undefined;
  /** What is wrong with other fields of the same body. */
  others: readonly Refusal[] = [];

  constructor(...[code, sentence, field, status = errorStatus[code]]: Saying) {
    super(sentence);
    this.code = code;
    this.status = status;
    this.field = field;
  }

  /** What was said before: by another process, in a stored answer, or by the validation of a body. */
  static again<R extends Refusal>(
    this: new (
      ...saying: Saying
    ) => R,
    { code, sentence, field }: { code: ErrorCode; sentence: string; field?: string | undefined },
  ): R {
    return new this(...([code, sentence, field] as unknown as Saying));
  }
}

export function notFound(sentence: SentenceOf<'not_found'>): Refusal {
  return new Refusal('not_found', sentence);
}

export function notSignedIn(): Refusal {
  return new Refusal('not_signed_in', 'Please log in.');
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

/** Too many tries: the same may be tried again after so many seconds. */
export function tooManyRequests(seconds: number): Refusal {
  const wait = seconds === 1 ? ('1 second' as const) : (`${seconds} seconds` as const);
  const refusal = new Refusal('too_many_requests', `Too many tries. Please wait ${wait} and try again.`);
  refusal.retryAfter = seconds;
  return refusal;
}

/** We cannot do it now, through no fault of what was asked: the same may be tried again soon. */
export function unavailable(
  sentence: SentenceOf<'unavailable'> = 'Jhalak cannot do this right now. Please try again in a moment.',
): Refusal {
  return new Refusal('unavailable', sentence);
}

/** Too many ask at once. A figure counts them: a log would not keep up. */
export class Overloaded extends Refusal {
  override readonly retryAfter = 2;

  constructor() {
    super('unavailable', 'Jhalak is very busy right now. Please try again in a moment.');
  }
}

/** The store of files cannot be used now; `cause` is for the log. */
export function storageUnavailable(cause: unknown): Refusal {
  const refusal = unavailable('We cannot reach our file storage right now. Please try again in a minute.');
  refusal.retryAfter = 30;
  refusal.cause = cause;
  return refusal;
}
