import { Refusal } from '../../../platform/refusal.ts';

/** This file cannot be used, and the sentence tells its owner why. Trying again changes nothing. */
export class MediaRefusal extends Refusal {
  override name = 'MediaRefusal';
}
