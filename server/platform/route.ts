import type { AnswerOf, Endpoint, Received } from '#contract/endpoint.ts';
import type { Role } from '#contract/roles.ts';
import type { ReceivedFile } from './storage.ts';

/** The signed-in person who makes a request. */
export interface Caller {
  id: string;
  role: Role;
  session: {
    id: string;
    openedAt: Date;
    /** The OIDC issuer that opened it; null: the password. */
    issuer: string | null;
    /** When the second factor was given in it; null if not. */
    factorAt: Date | null;
  };
}

export interface Cookies {
  read(name: string): string | undefined;
  /** Sets a cookie for `maxAge` seconds, which scripts and other sites' pages cannot use. */
  set(cookie: { name: string; value: string; path: string; maxAge: number }): void;
}

/** What a rule gets in addition to the validated input. */
export interface RequestInfo {
  /** The token's owner, undefined for visitors; and the token as sent, even if it is invalid. */
  caller: Caller | undefined;
  token: string | undefined;
  /** IP address of the client. */
  address: string;
  userAgent: string;
  cookies: Cookies;
  /** Scheme and host of the site, as the client asked for it. */
  origin: () => string;
}

type CallerOf<E extends Endpoint> = E['access'] extends 'person' | 'operator' ? Caller : Caller | undefined;
/** The signed body of another service; headers that it did not send are undefined. */
export interface Signed {
  bytes: Uint8Array;
  headers: Readonly<Record<string, string | undefined>>;
}

type SignedOf<E extends Endpoint> = E extends { signed: object } ? Signed : undefined;
type FileOf<E extends Endpoint> = E extends { file: object } ? ReceivedFile : undefined;

export type Request<E extends Endpoint> = Received<E> &
  Omit<RequestInfo, 'caller'> & {
    caller: CallerOf<E>;
    file: FileOf<E>;
    signed: SignedOf<E>;
  };

/** The result of a rule: the response, and whether it changed public lists. */
export interface Outcome<A = object> {
  answer: A;
  changed: boolean;
}

/** An endpoint of the contract and the rule that handles it. */
export interface Route {
  endpoint: Endpoint;
  handle: (request: Request<Endpoint>) => Promise<Outcome>;
}

/** Rules that can change lists return whether they did, so that caches are evicted only when needed. */
type Handled<E extends Endpoint> = E extends { changesLists: true } ? Outcome<AnswerOf<E>> : AnswerOf<E>;

/** Connects a rule to its endpoint. The compiler checks its input and response against the contract, and so does the server at run time. */
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
