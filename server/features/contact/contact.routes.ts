import type { Kysely } from 'kysely';
import { sendContact, sendFeedback } from '#contract/contact.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import { keepMessage } from './contact.ts';

export function contactRoutes(db: Kysely<Tables>, clock: Clock): Route[] {
  return [
    on(sendContact, async ({ caller, body: { name, email, phone, text } }) => {
      await keepMessage(db, { kind: 'contact', name, email, phone: phone ?? '', text }, caller?.id, clock());
      return { message: 'Message sent successfully!' };
    }),
    on(sendFeedback, async ({ caller, body: { name, text } }) => {
      const feedback = { kind: 'feedback' as const, name: name ?? '', email: '', phone: '', text };
      await keepMessage(db, feedback, caller?.id, clock());
      return { message: 'Feedback submitted successfully!' };
    }),
  ];
}
