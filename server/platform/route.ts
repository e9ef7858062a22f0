import type { Answer, Endpoint, Received } from '#contract/endpoint.ts';
import type { ReceivedFile } from './storage.ts';

/** Who is asking, as every rule gets them. */
export interface Caller {
  id: string;
  role: 'person' | 'operator';
}

/** What a handler gets beside the validated input. */
export interface RequestInfo {
  /** The token's owner; the token itself, also when it is nobody's. */
  caller: Caller | undefined;
  token: string | undefined;
  /** Where the call comes from. */
  address: string;
  userAgent: string;
}

type CallerOf<E extends Endpoint> = E['access'] extends 'person' | 'operator' ? Caller : Caller | undefined;
type FileOf<E extends Endpoint> = E extends { file: object } ? ReceivedFile : undefined;

export type Request<E extends Endpoint> = Received<E> &
  Omit<RequestInfo, 'caller'> & { caller: CallerOf<E>; file: FileOf<E> };

/** What a rule came to: the answer, and whether lists are other than before. */
export interface Outcome<A = object> {
  answer: A;
  changed: boolean;
}

/** One call of the contract and the rule that runs it. */
export interface Route {
  endpoint: Endpoint;
  handle: (request: Request<Endpoint>) => Promise<Outcome>;
}

/** A call that may change lists says whether it did: one that changed nothing evicts nothing. */
type Handled<E extends Endpoint> = E extends { changesLists: true } ? Outcome<Answer<E>> : Answer<E>;

/** Ties a rule to its call; what goes in and out is checked against the contract by the compiler, and again at run time. */
export function on<E extends Endpoint>(
  endpoint: E,
  handle: (request: Request<E>) => Promise<Handled<E>>,
): Route {
  const run = handle as unknown as (request: Request<Endpoint>) => Promise<object>;
  return {
    endpoint,
    async handle(request) {
      const handled = await run(request);
      return endpoint.changesLists ? (handled as Outcome) : { answer: handled, changed: false };
    },
  };
}
