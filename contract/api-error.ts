import type { Params } from './sentences.ts';

/** A call that failed: `status` 0 and code `offline` when no answer came at all. The message is a sentence for a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** One of `errors.ts`, or `offline`, or `aborted`. */
  readonly code: string;
  /** The field of the body the sentence is about, where there is one. */
  readonly field: string | undefined;
  /** What the code leaves open, for who says it in another language (contract/failure.ts). */
  readonly params: Params | undefined;
  /** A sentence for each field that is wrong, `field` among them. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    sentence: string,
    more: Partial<Pick<ApiError, 'field' | 'params' | 'fields'>> = {},
  ) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.params = more.params;
    this.fields = { ...(more.field === undefined ? {} : { [more.field]: sentence }), ...more.fields };
  }

  get sentence(): string {
    return this.message;
  }
}

/** By its name: the built pages carry their own copy of the class. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}
