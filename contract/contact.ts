import { z } from 'zod';
import { asciiDigits } from './digits.ts';
import { emailField } from './email-address.ts';
import { endpoint, ok } from './endpoint.ts';
import { text } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';

/** Message if a field of the contact form is missing (specification §5). */
export const contactRequired = invalid('contact');
export const feedbackRequired = invalid('feedback');

const required = (max: number, missing: string) => text(max, missing).trim().min(1, { error: missing });
/** The text is stored exactly as it was typed, including spaces at its ends. */
const words = (missing: string) =>
  text(limits.message, missing).refine((said) => said.trim() !== '', { error: missing });

export const sendContact = endpoint({
  method: 'POST',
  path: '/api/contact/contact',
  summary:
    'Send a message to the operators of the site; the sender is the person of the token, if there is one, whatever the body says',
  tag: 'Messages',
  access: 'known',
  limit: { perPerson: 10, perNetwork: 300, perDay: 'messages' },
  body: z.object({
    userId: z.string().max(100).nullish(),
    name: required(80, contactRequired),
    email: emailField(required(254, contactRequired)),
    phone: text(30).trim().overwrite(asciiDigits).nullish(),
    text: words(contactRequired),
  }),
  response: ok({ message: z.string() }),
  errors: ['invalid_input'],
});

export const sendFeedback = endpoint({
  method: 'POST',
  path: '/api/feedback/feed',
  summary: 'Send feedback; the name is optional',
  tag: 'Messages',
  access: 'known',
  limit: { perPerson: 10, perNetwork: 300, perDay: 'messages' },
  body: z.object({
    name: text(80).trim().nullish(),
    text: words(feedbackRequired),
  }),
  response: ok({ message: z.string() }),
  errors: ['invalid_input'],
});
