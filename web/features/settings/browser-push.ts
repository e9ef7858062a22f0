import { type PushSubscription as Subscription, subscribePush } from '#contract/push.ts';
import { call } from '#web/api.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { currentSession, currentToken } from '../session/session.ts';

/** The permission for push messages was denied, or the prompt was closed. */
export class NotAllowed extends Error {
  override name = 'NotAllowed';
  readonly isDecided: boolean;

  constructor(isDecided: boolean) {
    super('Notifications are not allowed.');
    this.isDecided = isDecided;
  }
}

const readyWithin = 10_000;

export const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** The push subscription of this browser, if the signed-in person has switched it on here. */
export async function subscriptionOf(userId: string | undefined): Promise<Subscription | null> {
  if (!userId || !canPush() || localStorage.getItem(storageKeys.pushOf) !== userId) return null;
  const own = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  return own ? asSubscription(own) : null;
}

/** Requests the permission, and always makes a new subscription: the site's key may have changed. */
export async function switchOn(userId: string, publicKey: string): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new NotAllowed(permission === 'denied');
  const { pushManager } = await readyWorker();
  await (await pushManager.getSubscription())?.unsubscribe();
  const own = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  try {
    await sendSubscription(asSubscription(own));
    localStorage.setItem(storageKeys.pushOf, userId);
  } catch (error) {
    await own.unsubscribe();
    throw error;
  }
}

/** Returns the endpoint, so that the server can delete it. */
export async function switchOff(): Promise<string | undefined> {
  localStorage.removeItem(storageKeys.pushOf);
  localStorage.removeItem(storageKeys.pushTold);
  const own = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  await own?.unsubscribe();
  return own?.endpoint;
}

/** Sends the subscription to the server, unless this session has done so. */
export async function renewSubscription(): Promise<void> {
  const { user } = currentSession();
  const own = await subscriptionOf(user?._id);
  if (own && localStorage.getItem(storageKeys.pushTold) !== sentKeyOf(own)) await sendSubscription(own);
}

async function sendSubscription(own: Subscription): Promise<void> {
  await call(subscribePush, { body: own });
  localStorage.setItem(storageKeys.pushTold, sentKeyOf(own));
}

const sentKeyOf = ({ endpoint }: Subscription) => `${currentToken()?.slice(-8)} ${endpoint}`;

/** At the first visit the service worker may still be installing. */
async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, fail) =>
    setTimeout(() => fail(new Error('There is no service worker.')), readyWithin),
  );
  return await Promise.race([navigator.serviceWorker.ready, late]);
}

function asSubscription(own: PushSubscription): Subscription {
  const { endpoint, keys } = own.toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}
