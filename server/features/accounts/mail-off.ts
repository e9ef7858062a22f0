import { Refusal } from '#server/platform/refusal.ts';

export function mailOff(): Refusal {
  return new Refusal('mail_off', 'This site sends no mail. Please write to us on the contact page.');
}
