import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { language } from './languages.ts';

/** Apart from the profile, whose calls few pages make: the switch of languages is on every page. */
export const setLanguage = endpoint({
  method: 'POST',
  path: '/api/profile/language',
  summary: 'Set the language of your mails',
  tag: 'Profile',
  access: 'person',
  limit: { perPerson: 20 },
  body: z.object({ language }),
  response: ok({}),
});
