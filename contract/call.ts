import type { Call, Endpoint, Result } from './endpoint.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** The multipart part `file` of calls that take one. */
  file?: File;
  /** The call outlives the page that makes it; its body is small. */
  keepalive?: boolean;
}

type Input<E extends Endpoint> =
  Record<string, never> extends Call<E>
    ? [input?: Call<E>, options?: CallOptions]
    : [input: Call<E>, options?: CallOptions];

/** Makes one call of the contract, over the network or in process; a failure is thrown as `ApiError`. */
export type CallEndpoint = <E extends Endpoint>(endpoint: E, ...input: Input<E>) => Promise<Result<E>>;
