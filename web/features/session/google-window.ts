import { beginGoogle } from '#contract/identity.ts';
import { call } from '#web/api.ts';

/** Where the issuer sends its window back to; it must have been told of this address. */
const returnPath = '/LoginGoogle/return';

/** What the window brings back: an ID token, or the issuer's word for why there is none. */
export interface Returned {
  idToken: string | null;
  error: string | null;
}

/** The browser did not open the window. */
export class WindowBlocked extends Error {
  override readonly name = 'WindowBlocked';
}

interface AskOptions {
  signal: AbortSignal;
  /** The window seems to be closed; what it brought may still arrive. */
  onClosed: () => void;
}

/**
 * Asks the issuer, in a window of its own, who this person is, and returns its ID token. To be called in the click itself:
 * a browser opens windows for clicks only.
 */
export async function askGoogle({ signal, onClosed }: AskOptions): Promise<string> {
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
      // Behind the # the answer reaches this site's script and no log of any server.
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

/** What the window brings back is said on a channel that only who knows the state can name, on this site's own origin. */
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

/** How long the page that asked may take to say that it has heard, in milliseconds. */
const patience = 3000;

/** In the window that has come back: says what it brought to the page that asked, and whether that page has heard it. */
export function handOver(address: Location): Promise<boolean> {
  const answer = new URLSearchParams(`${address.search.slice(1)}&${address.hash.slice(1)}`);
  const state = answer.get('state');
  if (!state) return Promise.resolve(false);
  return new Promise((resolve) => {
    const channel = channelOf(state);
    const finish = (heard: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(heard);
    };
    const timer = setTimeout(finish, patience, false);
    channel.onmessage = () => finish(true);
    channel.postMessage({ idToken: answer.get('id_token'), error: answer.get('error') } satisfies Returned);
  });
}

/** A window of that size in the middle of this one. */
function placeOf(width: number, height: number): string {
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}
