import { beginGoogle } from '#contract/identity.ts';
import { call } from '#web/api.ts';

/** The address to which the issuer redirects its window. It must be registered there. */
const returnPath = '/LoginGoogle/return';

/** The issuer's response: an ID token, or an error. */
export interface Returned {
  idToken: string | null;
  error: string | null;
}

/** Thrown if the browser did not open the window. */
export class WindowBlocked extends Error {
  override readonly name = 'WindowBlocked';
}

interface AskOptions {
  signal: AbortSignal;
  /** Called when the window seems to be closed. Its response may still arrive. */
  onClosed: () => void;
}

/**
 * Signs in at the issuer, in a window of its own, and returns the ID token. Must be called in the click event,
 * because browsers open windows only then.
 */
export async function signInAtGoogle({ signal, onClosed }: AskOptions): Promise<string> {
  const popup = window.open('', 'jhalak-google', placeOf(480, 640));
  if (!popup) throw new WindowBlocked();
  signal.addEventListener('abort', () => popup.close());
  try {
    const { nonce, clientId, authorizationEndpoint, prompt } = await call(beginGoogle, undefined, { signal });
    const state = crypto.randomUUID();
    const address = new URL(authorizationEndpoint);
    const question = {
      client_id: clientId,
      redirect_uri: new URL(returnPath, location.origin).href,
      response_type: 'id_token',
      // The fragment reaches only this site's script, and no server log.
      response_mode: 'fragment',
      scope: 'openid email profile',
      state,
      nonce,
      ...(prompt ? { prompt } : {}),
    };
    for (const [name, value] of Object.entries(question)) address.searchParams.set(name, value);
    const answer = answerTo(state, signal);
    popup.location.replace(address);
    const watch = setInterval(() => popup.closed && onClosed(), 500);
    const { idToken, error } = await answer.finally(() => clearInterval(watch));
    if (!idToken) throw new Error(error ?? 'no token came back');
    return idToken;
  } catch (error) {
    popup.close();
    throw error;
  }
}

/** The window sends its response on a channel of this origin, whose name only the sign-in with this state knows. */
const channelOf = (state: string) => new BroadcastChannel(`jhalak.sign-in.${state}`);

function answerTo(state: string, signal: AbortSignal): Promise<Returned> {
  return new Promise((resolve, reject) => {
    const channel = channelOf(state);
    channel.onmessage = ({ data }: MessageEvent<Returned>) => {
      channel.postMessage('heard');
      channel.close();
      resolve(data);
    };
    signal.addEventListener('abort', () => {
      channel.close();
      reject(signal.reason);
    });
  });
}

/** How long the window waits for the confirmation of the page, in milliseconds. */
const timeout = 3000;

/** Called in the redirected window: sends the response to the page. Returns whether the page confirmed it. */
export function handOver(address: Location): Promise<boolean> {
  const answer = new URLSearchParams(`${address.search.slice(1)}&${address.hash.slice(1)}`);
  const state = answer.get('state');
  if (!state) return Promise.resolve(false);
  return new Promise((resolve) => {
    const channel = channelOf(state);
    const finish = (received: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(received);
    };
    const timer = setTimeout(finish, timeout, false);
    channel.onmessage = () => finish(true);
    channel.postMessage({ idToken: answer.get('id_token'), error: answer.get('error') } satisfies Returned);
  });
}

/** Window features for a window of this size in the middle of this one. */
function placeOf(width: number, height: number): string {
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}
