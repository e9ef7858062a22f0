import type { ResponseLimits } from '#server/features/imports/guarded-fetch.ts';

/** A message that one device gets. */
export interface PushMessage {
  title: string;
  body: string;
  /** The page that it opens, from the root. */
  url: string;
  lang: string;
}

/** A way to devices of one kind. */
export interface PushService {
  /** `gone`: the device is registered no more. Throws PushRefused, or what may be different next time. */
  send(token: string, message: PushMessage): Promise<'sent' | 'gone'>;
}

/** How long a push service keeps a message for a device that is off. */
export const secondsToLive = 24 * 60 * 60;

/** Of a push service. It answers a few bytes at once. */
export const pushLimits: ResponseLimits = {
  bytes: 64 * 1024,
  milliseconds: 5_000,
  minimum: { bytes: 1, milliseconds: 2_500 },
};

/** A push service did not take a message. */
export class PushRefused extends Error {
  override name = 'PushRefused';
  /** Whether it may take it another time. */
  readonly isFinal: boolean;
  /** How many seconds it wants not to be asked. */
  readonly retryAfter: number;

  constructor(host: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(`${host} answered ${status}`);
    this.isFinal = status < 500 && status !== 429;
    const seconds = Number(headers.get('retry-after') ?? 0);
    this.retryAfter = seconds > 0 ? seconds : 0;
  }
}
