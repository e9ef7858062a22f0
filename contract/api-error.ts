import type { Sentence } from './failure.ts';

/**
 * A failed call. Status 0 and code `offline` mean that there was no response. The message is a sentence for people.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** A code of `errors.ts`, or `offline`, or `aborted`. */
  readonly code: string;
  /** The field of the body that is wrong, if any. */
  readonly field: string | undefined;
  readonly params: Sentence['params'];
  /** A sentence for each wrong field, including `field`. */
  readonly fields: Readonly<Record<string, Sentence>>;

  constructor(
    status: number,
    code: string,
    sentence: string,
    { field, params = {}, fields }: Partial<Pick<ApiError, 'field' | 'params' | 'fields'>> = {},
  ) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.field = field;
    this.params = params;
    this.fields = {
      ...(field === undefined ? {} : { [field]: { code, params, error: sentence } }),
      ...fields,
    };
  }

  get sentence(): string {
    return this.message;
  }
}

/** Compares the name, since the built pages have their own copy of the class. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}
