/** A call was refused, or did not get through (`code` "offline", status 0). The message is for a person. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The field of the body that the sentence is about. */
  readonly field: string | undefined;

  constructor(status: number, code: string, sentence: string, field?: string) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}
