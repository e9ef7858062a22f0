import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { GuardedFetch } from '#server/features/imports/guarded-fetch.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FcmAccount } from './fcm-account.ts';
import { appHost } from './hosts.ts';
import { PushRefused, type PushService, pushLimits, secondsToLive } from './service.ts';

const tokenAddress = 'https://oauth2.googleapis.com/token';

interface FcmOptions {
  fetch: GuardedFetch;
  clock: Clock;
  account: FcmAccount;
}

/**
 * Firebase Cloud Messaging, v1: the app on Android, and through Apple on iOS. A token belongs to the app on one device.
 */
export function fcm({
  fetch,
  clock,
  account: { project_id, client_email, private_key },
}: FcmOptions): PushService {
  let access: { token: string; until: number } | undefined;

  async function accessToken(): Promise<string> {
    const now = Math.floor(clock().getTime() / 1000);
    if (access && access.until > now) return access.token;
    const assertion = await new SignJWT({ scope: 'https://www.googleapis.com/auth/firebase.messaging' })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(client_email)
      .setAudience(tokenAddress)
      .setIssuedAt(now)
      .setExpirationTime(now + 3600)
      .sign(await importPKCS8(private_key, 'RS256'));
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    });
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    };
    const answer = await fetch(tokenAddress, request, pushLimits);
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new PushRefused('oauth2.googleapis.com', answer);
    }
    const { access_token: token, expires_in } = grant.parse(await answer.json());
    // Expires a minute early, in case clocks differ.
    access = { token, until: now + expires_in - 60 };
    return token;
  }

  async function post(body: string): Promise<Response> {
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
      body,
    };
    const address = `https://${appHost}/v1/projects/${project_id}/messages:send`;
    return await fetch(address, request, pushLimits);
  }

  return {
    async send(token, { title, body, url }) {
      const message = {
        token,
        notification: { title, body },
        data: { url },
        android: { ttl: `${secondsToLive}s` },
      };
      const text = JSON.stringify({ message });
      let answer = await post(text);
      if (answer.status === 401) {
        // An access token may become invalid early.
        await answer.body?.cancel();
        access = undefined;
        answer = await post(text);
      }
      const said = await answer.text();
      if (answer.ok) return 'sent';
      if (isUnregistered(said)) return 'gone';
      throw new PushRefused(appHost, answer);
    },
  };
}

/** Whether the response is from FCM, and does not only mean an unknown URL or project. */
function isUnregistered(said: string): boolean {
  try {
    const { error } = unregistered.parse(JSON.parse(said));
    return error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED');
  } catch {
    return false;
  }
}

const unregistered = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().optional() })) }),
});
const grant = z.object({ access_token: z.string(), expires_in: z.number() });
