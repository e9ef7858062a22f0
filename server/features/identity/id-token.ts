import { errors, type JWTVerifyResult, jwtVerify } from 'jose';
import { z } from 'zod';
import { emailField } from '#contract/email-address.ts';
import { text } from '#contract/fields.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Issuer } from './issuer.ts';

/** The claims of a verified ID token. */
export interface IdentityClaims {
  issuer: string;
  subject: string;
  email: string;
  name: string;
  nonce: string;
}

/** Only asymmetric signatures are accepted: never `none`, never a shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** Maximum age of a token and allowed difference between two clocks, in seconds. */
const maxAge = 10 * 60;
const clockTolerance = 30;

/**
 * Verifies an ID token according to OpenID Connect Core §3.2.2.11, except its nonce. All faults are refused with the
 * same words.
 */
export async function readIdToken(issuer: Issuer, idToken: string, now: Date): Promise<IdentityClaims> {
  const { payload, protectedHeader } = await verify(issuer, idToken, now);
  const { typ } = protectedHeader;
  const parsed = claimsFor(issuer.clientId).safeParse(payload);
  // A token of another type, such as an access token, is not accepted.
  if ((typ !== undefined && typ.toUpperCase() !== 'JWT') || !parsed.success) throw refused();
  const { sub, email, name = '', nonce } = parsed.data;
  return { issuer: issuer.name, subject: sub, email, name, nonce };
}

export const refused = () => new Refusal('bad_identity');

async function verify(issuer: Issuer, idToken: string, now: Date): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(idToken, issuer.getKey, {
      algorithms,
      issuer: issuer.name,
      audience: issuer.clientId,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: maxAge,
      clockTolerance,
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
    // The token must be issued to this site only.
    aud: z.union([us, z.tuple([us])]),
    azp: us.optional(),
    nonce: text(200).min(1),
    email: emailField(text(254)),
    email_verified: z.literal(true),
    name: z.string().optional(),
  });
}
