import { signUp } from './accounts.ts';
import { sendContact, sendFeedback } from './contact.ts';

/** Pages whose forms also work without a script, and the calls that their `action` makes. */
export const formPages = {
  '/Contact': sendContact,
  '/Feedback': sendFeedback,
  '/SignupForm': signUp,
} as const;
