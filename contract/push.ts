import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { pushGroups } from './push-groups.ts';

const tag = 'Notifications';
const endpointUrl = z.url({ protocol: /^https$/ }).max(1000);
const bytes = (length: number) => z.base64url().refine((text) => bytesOf(text) === length);
/** The number of bytes that a base64url text encodes. */
const bytesOf = (text: string) => Math.floor((text.replace(/=+$/, '').length * 3) / 4);

/** The subscription of a browser's push manager, as JSON. */
const subscription = z.object({
  endpoint: endpointUrl,
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
});
export type PushSubscription = z.output<typeof subscription>;

const groups = z.array(z.enum(pushGroups)).max(pushGroups.length);

export const getPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary:
    'Which groups of notifications are not pushed to the devices of the signed-in account; whether this site pushes to the app, and the key with which browsers subscribe, null if it sends none to browsers',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({ publicKey: z.string().nullable(), app: z.boolean(), off: groups }),
});

export const setPush = endpoint({
  method: 'PUT',
  path: '/api/push',
  summary: 'Choose which groups of notifications are not pushed; those about the account always are',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({ off: groups }),
  response: ok({ off: groups }),
});

export const subscribePush = endpoint({
  method: 'POST',
  path: '/api/push/subscribe',
  summary: 'Send push messages to this browser until this session ends',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  body: subscription,
  response: ok({}),
  errors: ['too_many_devices'],
});

export const unsubscribePush = endpoint({
  method: 'POST',
  path: '/api/push/unsubscribe',
  summary: 'Stop sending push messages to this browser',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({ endpoint: endpointUrl }),
  response: ok({}),
});
