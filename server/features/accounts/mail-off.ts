import { Refusal } from '#server/platform/refusal.ts';

export function mailOff(): Refusal {
  return new Refusal('mail_off');
}
