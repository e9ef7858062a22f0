import { z } from 'zod';
import { personName, secret, username } from './accounts.ts';
import { endpoint, ok } from './endpoint.ts';
import { limits } from './limits.ts';
import { self } from './people.ts';

/** Limit of changes to the own profile, which are made in the app, or on a site without one (decisions §1, §5). */
const seldom = { perPerson: 20 };

export const editProfile = endpoint({
  method: 'POST',
  path: '/api/profile/edit',
  summary: 'Change your name or username; omitted fields stay unchanged',
  tag: 'Profile',
  access: 'person',
  changesLists: true,
  limit: seldom,
  body: z.object({ name: personName.optional(), username: username.optional() }),
  response: ok({ user: self }),
  errors: ['username_taken', 'name_refused', 'missing_fields'],
});

export const setPhoto = endpoint({
  method: 'POST',
  path: '/api/profile/photo',
  summary: 'Upload your profile picture as the multipart part `file`; it replaces the previous one',
  tag: 'Profile',
  access: 'person',
  changesLists: true,
  limit: seldom,
  file: { maxBytes: limits.photo.maxBytes },
  response: ok({ user: self }),
  errors: [
    'file_missing',
    'file_empty',
    'file_not_image',
    'file_unreadable',
    'file_incomplete',
    'file_too_large',
    'image_too_many_pixels',
    'upload_interrupted',
  ],
});

export const removePhoto = endpoint({
  method: 'DELETE',
  path: '/api/profile/photo',
  summary: 'Remove your profile picture; idempotent',
  tag: 'Profile',
  access: 'person',
  changesLists: true,
  limit: seldom,
  response: ok({ user: self }),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/profile/password',
  summary: 'Change your password; every session ends, and `data` is the token of a new one',
  tag: 'Profile',
  access: 'person',
  limit: { perPerson: 10 },
  body: z.object({ password: secret, newPassword: secret, cpassword: secret }),
  response: ok({ data: z.string() }),
  errors: [
    'missing_fields',
    'password_mismatch',
    'weak_password',
    'wrong_password',
    'no_password',
    'too_many_requests',
  ],
});
