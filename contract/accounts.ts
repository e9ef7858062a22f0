import { z } from 'zod';
import { emailField, normalEmailOr } from './email-address.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { text, viewerId } from './fields.ts';
import { invalid, messageOf } from './invalid.ts';
import { language } from './languages.ts';
import { self } from './people.ts';

/** Message if a field of login or sign-up is missing (specification §5). */
export const allFieldsRequired = messageOf({ code: 'missing_fields', params: {} });
export const passwordsMustMatch = messageOf({ code: 'password_mismatch', params: {} });

const required = (max: number) => text(max, allFieldsRequired).trim().min(1, { error: allFieldsRequired });
/** Reserved username of the site: the sender of notifications that are not from a person. */
export const siteUsername = 'jhalak';
export const personName = required(80);
export const username = required(30).regex(/^[\p{L}\p{M}\p{N}._-]+$/u, {
  error: invalid('username'),
});
export const secret = z.string({ error: allFieldsRequired }).min(1, { error: allFieldsRequired }).max(1000);

export const emailAddress = emailField(required(254));
/** Also text that is no address, which matches no account. */
export const knownEmail = required(254).overwrite(normalEmailOr);

export const signUpForm = z
  .object({
    name: personName,
    username,
    email: emailAddress,
    password: secret,
    cpassword: secret,
    /** The language in which the site is shown, for mails. */
    language: language.optional(),
  })
  .refine(({ password, cpassword }) => !password || !cpassword || password === cpassword, {
    error: passwordsMustMatch,
    path: ['cpassword'],
    // Checked even if other fields are wrong, so that all errors are reported at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const signUp = endpoint({
  method: 'POST',
  path: '/api/signup',
  summary: 'Create an account',
  tag: 'Accounts',
  access: 'anyone',
  changesLists: true,
  limit: { perNetwork: 300, perDay: 'signUps' },
  body: signUpForm,
  response: ok({ user: self, message: z.string() }),
  errors: [
    'missing_fields',
    'password_mismatch',
    'weak_password',
    'name_refused',
    'email_taken',
    'username_taken',
    'sign_up_refused',
  ],
});

export const signInForm = z.object({ email: knownEmail, password: secret });

export const signIn = endpoint({
  method: 'POST',
  path: '/api/signin',
  summary: 'Log in with e-mail and password; `data` is the token',
  tag: 'Accounts',
  access: 'anyone',
  limit: { perNetwork: 600 },
  body: signInForm,
  response: ok({ user: self, data: z.string() }),
  errors: ['missing_fields', 'invalid_credentials', 'suspended', 'too_many_requests'],
});

export const userData = endpoint({
  method: 'POST',
  path: '/api/userdata',
  summary:
    'The person of a token, which is in the body or a bearer token. Clients call it after each login and at each start, with `viewer`',
  tag: 'Accounts',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  body: z.object({
    token: z.string().max(200).optional(),
    /**
     * The random id of the browser, as in `increaseView`: views of the person's own reels from this browser do not pay from
     * now on, also after the logout (`ownBrowserDays` in contract/earning-rules.ts). Older apps do not send it.
     */
    viewer: viewerId.optional(),
  }),
  /**
   * The specification reads the user from `data.data`, and some HTTP clients unwrap `data`, so it is in both places.
   */
  response: ok({ data: self.extend({ data: self }) }),
  errors: ['not_signed_in'],
});

export const logOut = endpoint({
  method: 'POST',
  path: '/api/logout',
  summary: 'Log out: this token becomes invalid; with `everywhere` all tokens of this person',
  tag: 'Accounts',
  access: 'known',
  limit: { perNetwork: crowd },
  body: z.object({ everywhere: z.boolean().optional() }),
  response: ok({
    /** The logout address of the identity provider that opened this session (OpenID Connect RP-Initiated Logout). */
    endSession: z.object({ endpoint: z.url(), clientId: z.string() }).optional(),
  }),
});
