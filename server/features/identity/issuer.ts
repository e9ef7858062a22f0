import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '#server/platform/clock.ts';
import { isSecureOrigin } from '#server/platform/is-secure-origin.ts';
import { Refusal } from '#server/platform/refusal.ts';

/** An OpenID Connect issuer and its published configuration. */
export interface Issuer {
  /** The issuer name in its tokens. */
  name: string;
  /** The client id of this site at the issuer. */
  clientId: string;
  describe(): Promise<Description>;
  /** Returns the published key that a token's header names. */
  getKey: JWTVerifyGetKey;
}

interface Description {
  authorizationEndpoint: string;
  prompts: string[] | undefined;
  /** The logout address. Some issuers, such as Google, have none. */
  endSessionEndpoint: string | undefined;
}

interface CachedDescription extends Description {
  pick: JWTVerifyGetKey;
  /** Timeout of a request, in milliseconds. */
  at: number;
}

/** How long the issuer's configuration is cached, in milliseconds. */
const maxAge = 10 * 60_000;
/**
 * Minimum time between two requests for an unknown key, in milliseconds: anybody can write an unknown key into a
 * token.
 */
const refetchAfter = 5_000;
/** Timeout and maximum length of the issuer's responses. */
const timeout = 5_000;
const maxLength = 500_000;

/** The configured issuer; throws a refusal if there is none. */
export function configuredIssuer(
  { issuer, clientId }: { issuer: string; clientId?: string | undefined },
  clock: Clock,
): () => Issuer {
  const configured = clientId ? openIssuer(issuer, clientId, clock) : undefined;
  return () => {
    if (configured) return configured;
    throw new Refusal('identity_off');
  };
}

/** The issuer is contacted only when its configuration is needed. A new key needs no restart. */
function openIssuer(name: string, clientId: string, clock: Clock): Issuer {
  let cached: CachedDescription | undefined;
  let pending: Promise<CachedDescription> | undefined;

  const refresh = () => {
    pending ??= fetchDescription(name, clock)
      .then((description) => {
        cached = description;
        return description;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  const isYoungerThan = (age: number) => cached !== undefined && clock().getTime() - cached.at < age;
  const describe = async () => (cached && isYoungerThan(maxAge) ? cached : await refresh());

  return {
    name,
    clientId,
    describe,
    async getKey(header, token) {
      const { pick } = await describe();
      try {
        return await pick(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || isYoungerThan(refetchAfter)) throw error;
      }
      return await (await refresh()).pick(header, token);
    },
  };
}

async function fetchDescription(name: string, clock: Clock): Promise<CachedDescription> {
  const at = clock().getTime();
  const isHttps = name.startsWith('https:');
  const address = z.url().refine((url) => isSecureOrigin(url) && (!isHttps || url.startsWith('https:')));
  const description = z.object({
    issuer: z.literal(name),
    authorization_endpoint: address,
    jwks_uri: address,
    prompt_values_supported: z.array(z.string()).optional(),
    // An untrusted logout address must not prevent signing in.
    end_session_endpoint: address.optional().catch(undefined),
  });
  const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
  try {
    const document = await read(`${name.replace(/\/$/, '')}/.well-known/openid-configuration`, description);
    const keys = await read(document.jwks_uri, keySet);
    return {
      authorizationEndpoint: document.authorization_endpoint,
      prompts: document.prompt_values_supported,
      endSessionEndpoint: document.end_session_endpoint,
      pick: createLocalJWKSet(keys as JSONWebKeySet),
      at,
    };
  } catch (error) {
    const refusal = new Refusal('unavailable', { what: 'google' });
    refusal.cause = error;
    throw refusal;
  }
}

async function read<S extends z.ZodType>(address: string, schema: S): Promise<z.output<S>> {
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    // A redirect is not followed: the response must come from the announced address.
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok || !response.body) throw new Error(`${address} answered ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxLength) throw new Error(`${address} sends too much`);
  }
  return schema.parse(JSON.parse(text));
}
