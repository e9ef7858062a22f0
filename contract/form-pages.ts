import { signUp } from './accounts.ts';
import { sendContact, sendFeedback } from './contact.ts';

/** Pages whose form also works without a script, and the call that it makes. The page's own `action` makes it. */
export const formPages = {
  '/Contact': sendContact,
  '/Feedback': sendFeedback,
  '/SignupForm': signUp,
} as const;
