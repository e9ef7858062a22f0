import { sendContact, sendFeedback } from '#contract/contact.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { storeMessage } from './contact.ts';

export function contactRoutes(context: Context): Route[] {
  return [
    on(sendContact, async ({ caller, body: { name, email, phone, text } }) => {
      const message = { kind: 'contact' as const, name, email, phone: phone ?? '', text };
      await storeMessage(context, message, caller?.id);
      return { message: 'Message sent successfully!' };
    }),
    on(sendFeedback, async ({ caller, body: { name, text } }) => {
      const feedback = { kind: 'feedback' as const, name: name ?? '', email: '', phone: '', text };
      await storeMessage(context, feedback, caller?.id);
      return { message: 'Feedback submitted successfully!' };
    }),
  ];
}
