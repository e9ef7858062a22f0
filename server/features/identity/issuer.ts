import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '#server/platform/clock.ts';
import { isSecureOrigin } from '#server/platform/is-secure-origin.ts';
import { Refusal } from '#server/platform/refusal.ts';

/** An OpenID Connect issuer, as it describes itself. */
export interface Issuer {
  /** As it names itself in its tokens. */
  name: string;
  /** The id by which it knows this site. */
  clientId: string;
  describe(): Promise<Description>;
  /** Its published key that a token says it was signed by. */
  keyOf: JWTVerifyGetKey;
}

interface Description {
  authorizationEndpoint: string;
  prompts: string[] | undefined;
  /** Where people log out there; not every issuer has that, Google for one. */
  endSessionEndpoint: string | undefined;
}

interface Known extends Description {
  pick: JWTVerifyGetKey;
  /** When it was fetched, in milliseconds. */
  at: number;
}

/** How long what an issuer says of itself is believed, in milliseconds. */
const believedFor = 10 * 60_000;
/** Unknown keys make the issuer's be fetched again, at most this often: anybody can write an unknown key into a token. */
const askedAgainAfter = 5_000;
/** How long an issuer may take to answer, and how much it may say. */
const patience = 5_000;
const lettersAtMost = 500_000;

/** Nothing is asked of the issuer before it is needed; a new key of its needs no restart. */
export function openIssuer(name: string, clientId: string, clock: Clock): Issuer {
  let known: Known | undefined;
  let asking: Promise<Known> | undefined;

  const ask = () => {
    asking ??= askIssuer(name, clock)
      .then((answer) => {
        known = answer;
        return answer;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const isYoung = (age: number) => known !== undefined && clock().getTime() - known.at < age;
  const believed = async () => (known && isYoung(believedFor) ? known : await ask());

  return {
    name,
    clientId,
    describe: believed,
    async keyOf(header, token) {
      const { pick } = await believed();
      try {
        return await pick(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || isYoung(askedAgainAfter)) throw error;
      }
      return await (await ask()).pick(header, token);
    },
  };
}

async function askIssuer(name: string, clock: Clock): Promise<Known> {
  const at = clock().getTime();
  const isHttps = name.startsWith('https:');
  const address = z.url().refine((url) => isSecureOrigin(url) && (!isHttps || url.startsWith('https:')));
  const description = z.object({
    issuer: z.literal(name),
    authorization_endpoint: address,
    jwks_uri: address,
    prompt_values_supported: z.array(z.string()).optional(),
    // One that is not to be trusted keeps nobody from signing in.
    end_session_endpoint: address.optional().catch(undefined),
  });
  const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
  try {
    const said = await read(`${name.replace(/\/$/, '')}/.well-known/openid-configuration`, description);
    const keys = await read(said.jwks_uri, keySet);
    return {
      authorizationEndpoint: said.authorization_endpoint,
      prompts: said.prompt_values_supported,
      endSessionEndpoint: said.end_session_endpoint,
      pick: createLocalJWKSet(keys as JSONWebKeySet),
      at,
    };
  } catch (error) {
    const refusal = new Refusal(
      'unavailable',
      'We cannot reach Google right now. Please try again in a moment.',
    );
    refusal.cause = error;
    throw refusal;
  }
}

async function read<S extends z.ZodType>(address: string, schema: S): Promise<z.output<S>> {
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    // The issuer answers for itself, from where it said it would.
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok || !response.body) throw new Error(`${address} answered ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > lettersAtMost) throw new Error(`${address} says more than it may`);
  }
  return schema.parse(JSON.parse(text));
}
