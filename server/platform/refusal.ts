import { type ErrorCode, errorStatus } from '../../contract/errors.ts';

/** A rule was broken. One place turns this into the answer (`http/failures.ts`); the sentence is for a person. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  /** The field of the body that the sentence is about. */
  readonly field: string | undefined;

  /** `status` only where HTTP has a finer one than the code's own. */
  constructor(code: ErrorCode, sentence: string, field?: string, status: number = errorStatus[code]) {
    super(sentence);
    this.code = code;
    this.status = status;
    this.field = field;
  }
}

export function notFound(sentence: string): Refusal {
  return new Refusal('not_found', sentence);
}
