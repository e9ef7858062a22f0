import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, text, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { self } from './people.ts';

const tag = 'Accounts';
const byId = z.object({ id });
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+={0,2}$/);

const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
};

/** The result of `navigator.credentials.create`, as JSON. */
const newCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

export type NewCredential = z.input<typeof newCredential>;

/** The result of `navigator.credentials.get`, as JSON. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).optional(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** The options of a WebAuthn ceremony, in the JSON form of the standard. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof passkeyOptions>;

const passkey = z.object({ _id: id, name: z.string(), createdAt: time, usedAt: time.nullable() });
export type Passkey = z.infer<typeof passkey>;

const name = text(60, invalid('name'))
  .trim()
  .min(1, { error: invalid('name') });

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/passkeys',
  summary: 'The passkeys of the signed-in account',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({ data: z.array(passkey) }),
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys/begin',
  summary: 'Begin to add a passkey: returns the WebAuthn options, valid in this session, for five minutes',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  response: ok({ options: passkeyOptions }),
  errors: ['too_many_passkeys'],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys',
  summary: 'Add the passkey that the browser created; it can be used to log in and to confirm',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ credential: newCredential, name }),
  response: ok({ data: passkey }),
  errors: ['bad_passkey', 'too_many_passkeys', 'confirmation_required', 'recently_changed'],
});

export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/api/passkeys/:id',
  summary: 'Rename a passkey',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  params: byId,
  body: z.object({ name }),
  response: ok({ data: passkey }),
  errors: ['not_found'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/passkeys/:id',
  summary: 'Remove a passkey, and end the other sessions that passkeys opened',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  params: byId,
  response: ok({}),
  errors: ['not_found', 'confirmation_required', 'recently_changed'],
});

export const beginPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/passkeys/begin-login',
  summary: 'Begin a login with a passkey: returns the WebAuthn options, valid once, for five minutes',
  tag,
  access: 'anyone',
  limit: { perNetwork: 600 },
  response: ok({ options: passkeyOptions }),
});

export const loginPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys/login',
  summary: 'Log in with a passkey',
  tag,
  access: 'anyone',
  limit: { perNetwork: 600 },
  body: z.object({ credential: passkeyAnswer }),
  response: ok({ user: self, data: z.string() }),
  errors: ['bad_passkey', 'suspended'],
});
