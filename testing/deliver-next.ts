import type { Context } from '#server/platform/context.ts';
import { type Batch, claimDelivery, type Delivery, deliver } from '#server/platform/deliveries.ts';

/** Sends what has been due for longest, and returns the outcome; undefined if nothing is due. */
export async function deliverNext<Sent extends Batch, Outcome extends string>(
  context: Context<'db' | 'clock'>,
  delivery: Delivery<Sent, Outcome>,
): Promise<string | undefined> {
  const batch = await claimDelivery(context, delivery);
  return batch && (await deliver(context, delivery, batch));
}
