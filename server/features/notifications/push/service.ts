import type { ResponseLimits } from '#server/features/imports/guarded-fetch.ts';

/** A message to one device. */
export interface PushMessage {
  title: string;
  body: string;
  /** Path of the page that it opens. */
  url: string;
  lang: string;
}

/** A push service for devices of one platform. */
export interface PushService {
  /** `gone`: the device is no longer registered. Throws PushRefused, or a transient error. */
  send(token: string, message: PushMessage): Promise<'sent' | 'gone'>;
}

/** How long a push service stores a message for a device that is off. */
export const secondsToLive = 24 * 60 * 60;

/** Maximum response size of a push service, which is normally a few bytes. */
export const pushLimits: ResponseLimits = {
  bytes: 64 * 1024,
  milliseconds: 5_000,
  minimum: { bytes: 1, milliseconds: 2_500 },
};

/** A push service rejected a message. */
export class PushRefused extends Error {
  override name = 'PushRefused';
  /** Whether a retry is useless. */
  readonly isFinal: boolean;
  /** Seconds until the push service accepts further requests. */
  readonly retryAfter: number;

  constructor(host: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(`${host} answered ${status}`);
    this.isFinal = status < 500 && status !== 429;
    const seconds = Number(headers.get('retry-after') ?? 0);
    this.retryAfter = seconds > 0 ? seconds : 0;
  }
}
