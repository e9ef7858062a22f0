import { errors, type JWTVerifyResult, jwtVerify } from 'jose';
import { z } from 'zod';
import { text } from '#contract/fields.ts';
import { googleLoginFailed } from '#contract/identity.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Issuer } from './issuer.ts';

/** What an issuer says of who signed in there. */
export interface Vouched {
  issuer: string;
  subject: string;
  email: string;
  name: string;
  nonce: string;
}

/** Only signatures that the issuer alone can make: never `none`, never a shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** A token is fresh from the issuer, give or take what two clocks differ by, in seconds. */
const oldest = 10 * 60;
const clocksDiffer = 30;

/**
 * Reads an ID token as OpenID Connect Core §3.2.2.11 has it; whatever is wrong with it, it is refused in the same words.
 * Whether its nonce is one of ours is not asked here.
 */
export async function readIdToken(issuer: Issuer, idToken: string, now: Date): Promise<Vouched> {
  const { payload, protectedHeader } = await verify(issuer, idToken, now);
  const { typ } = protectedHeader;
  const parsed = claimsFor(issuer.clientId).safeParse(payload);
  // What is signed for another use, such as an access token, is no ID token.
  if ((typ !== undefined && typ.toUpperCase() !== 'JWT') || !parsed.success) throw refused();
  const { sub, email, name = '', nonce } = parsed.data;
  return { issuer: issuer.name, subject: sub, email, name, nonce };
}

export const refused = () => new Refusal('bad_identity', googleLoginFailed);

async function verify(issuer: Issuer, idToken: string, now: Date): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(idToken, issuer.keyOf, {
      algorithms,
      issuer: issuer.name,
      audience: issuer.clientId,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: oldest,
      clockTolerance: clocksDiffer,
      currentDate: now,
    });
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused();
    throw error;
  }
}

function claimsFor(clientId: string) {
  const us = z.literal(clientId);
  return z.object({
    sub: text(255).min(1),
    // Issued to us and to nobody beside us.
    aud: z.union([us, z.tuple([us])]),
    azp: us.optional(),
    nonce: text(200).min(1),
    email: text(254).pipe(z.email()),
    email_verified: z.literal(true),
    name: z.string().optional(),
  });
}
