import { answerOf } from '#web/api.ts';
import { currentToken } from '../session/session.ts';

/** The response of a call that answers a file: a browser sends no token with a download or for a picture of its own. */
export async function fetchFile(address: string, signal?: AbortSignal): Promise<Blob> {
  const token = currentToken();
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  });
  return response.ok ? await response.blob() : answerOf(response.status, await response.text(), token);
}
