import type { Call, Endpoint, Result } from './endpoint.ts';

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The file of calls that upload one. */
  file?: File;
  /** Whether the request continues after the page is closed; only for small bodies. */
  keepalive?: boolean;
}

type Input<E extends Endpoint> =
  Record<string, never> extends Call<E>
    ? [input?: Call<E>, options?: CallOptions]
    : [input: Call<E>, options?: CallOptions];

/** Makes a call of the contract, over the network or in process. Failures are thrown as `ApiError`. */
export type CallEndpoint = <E extends Endpoint>(endpoint: E, ...input: Input<E>) => Promise<Result<E>>;
