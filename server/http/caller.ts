import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { notSignedIn } from '../platform/refusal.ts';
import type { Caller } from '../platform/route.ts';

/** Finds the person of a token that came from this address. */
export type FindCaller = (token: string, address: string) => Promise<Caller | undefined>;

export function bearerIn({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer (\S{1,200})$/i.exec(authorization)?.[1];
}

export function bearerOf(request: FastifyRequest): string | undefined {
  return bearerIn(request.headers);
}

/** The person whose token the request carries; undefined without a valid token. */
export async function findCallerOf(
  request: FastifyRequest,
  findCaller: FindCaller,
): Promise<Caller | undefined> {
  const token = bearerOf(request);
  return token ? await findCaller(token, request.ip) : undefined;
}

/** The person whose token the request carries; refuses a request without a valid token. */
export async function requireCaller(request: FastifyRequest, findCaller: FindCaller): Promise<Caller> {
  const caller = await findCallerOf(request, findCaller);
  if (!caller) throw notSignedIn();
  return caller;
}
