import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { time } from './fields.ts';
import { invalid } from './invalid.ts';
import { language } from './languages.ts';
import { self } from './people.ts';

/** Message for any ID token that is refused (specification §8). */
const googleLoginFailed = invalid('google');

/** The ID token from the popup. Google's are about a kilobyte. */
const idToken = z
  .string({ error: googleLoginFailed })
  .min(1, { error: googleLoginFailed })
  .max(16_384, { error: googleLoginFailed });

export const beginGoogle = endpoint({
  method: 'POST',
  path: '/api/google-nonce',
  summary:
    'Begin a Google login: the address of the provider, and the nonce that the ID token must contain, valid for 10 minutes',
  tag: 'Accounts',
  access: 'anyone',
  limit: { perNetwork: 600 },
  response: ok({
    nonce: z.string(),
    clientId: z.string(),
    authorizationEndpoint: z.url(),
    /** The `prompt` value that lets the person choose an account, if the issuer supports it. */
    prompt: z.string().optional(),
  }),
  errors: ['identity_off', 'unavailable'],
});

export const loginGoogle = endpoint({
  method: 'POST',
  path: '/api/google-loginweb',
  summary:
    'Log in with an ID token whose nonce is from /api/google-nonce; creates an account for a new person',
  tag: 'Accounts',
  access: 'anyone',
  changesLists: true,
  limit: { perNetwork: 600 },
  /** `language` is the one in which the site is shown, for mails to a new person. */
  body: z.object({ idToken, language: language.optional() }),
  response: ok({ success: z.literal(true), user: self, token: z.string(), message: z.string() }),
  errors: ['bad_identity', 'email_taken', 'suspended', 'identity_off', 'unavailable'],
});

export const linkGoogle = endpoint({
  method: 'POST',
  path: '/api/link-google',
  summary: 'Link a Google identity to your account; idempotent',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ idToken }),
  response: ok({ success: z.literal(true), message: z.string() }),
  errors: [
    'bad_identity',
    'identity_taken',
    'identity_off',
    'unavailable',
    'confirmation_required',
    'recently_changed',
  ],
});

export const googleLink = endpoint({
  method: 'GET',
  path: '/api/link-google',
  summary: 'The Google identities that are linked to your account',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({
    /** Whether it can be used to log in here now. */
    linked: z.boolean(),
    accounts: z.array(
      z.object({
        /** Null until the next login, if it was linked before addresses were stored. */
        email: z.string().nullable(),
        linkedAt: time,
      }),
    ),
  }),
});

export const unlinkGoogle = endpoint({
  method: 'DELETE',
  path: '/api/link-google',
  summary: 'Unlink Google from your account, and end the other sessions that it opened',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  response: ok({}),
  errors: ['no_password', 'confirmation_required', 'recently_changed'],
});
