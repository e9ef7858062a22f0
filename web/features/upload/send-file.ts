import type { DetailedError } from 'tus-js-client';
import { isApiError } from '#contract/api-error.ts';
import type { Result } from '#contract/endpoint.ts';
import { finishUpload, type SentKind, uploadsPath } from '#contract/uploads.ts';
import { aborted, answerOf, call, offline } from '#web/api.ts';
import { currentToken } from '../session/session.ts';
import { pausing, persistently } from './persistence.ts';
import { leaving, type Transfer } from './transfer.ts';
import { newTurns } from './turns.ts';
import { findUnfinished, fingerprintOf, forgetUnfinished, noteUnfinished } from './unfinished.ts';

export type SentFile = Result<typeof finishUpload>;

/** A connection that moves nothing for so long is taken for lost. */
const silence = 60_000;
/** More at a time only share the same line. */
const sending = newTurns(2);

/** Pages that send nothing do without it; those that do have it before it is needed. */
export const loadTus = () => import('tus-js-client');

/**
 * Sends a file in pieces, goes on where it stopped, has it looked over, and returns what the server made of it. After a
 * reload the same file goes on as well. Cancelled, it leaves nothing behind.
 */
export async function sendFile(
  kind: SentKind,
  file: File,
  transfer: Transfer,
  /** SHA-256 in hex of the file that this one was made of. */
  original?: string,
): Promise<SentFile> {
  const metadata = { kind, ...(original ? { original } : {}) };
  const fingerprint = fingerprintOf(kind, file);
  let address = findUnfinished(fingerprint);
  const keep = (found: string) => {
    address = found;
    noteUnfinished(fingerprint, found);
  };
  try {
    await persistently(transfer, (progressed) => {
      const rest = () => sendRest(metadata, file, address, keep, transfer, progressed);
      return sending(rest, transfer.signal, transfer.onQueued);
    });
    const params = { key: address?.split('/').at(-1) ?? '' };
    const { signal } = transfer;
    const sent = await persistently(transfer, () => call(finishUpload, { params }, { signal }));
    forgetUnfinished(fingerprint);
    return sent;
  } catch (error) {
    if (transfer.signal.aborted) {
      if (transfer.signal.reason === leaving) throw leaving;
      if (address) discard(address);
      forgetUnfinished(fingerprint);
      throw aborted();
    }
    // Refused for what it is: sent again, it is begun again.
    if (isApiError(error) && error.status >= 400 && error.status < 500 && error.code !== 'upload_incomplete')
      forgetUnfinished(fingerprint);
    throw error;
  }
}

/** Sends what is not there yet; begins anew where nothing is there any more. */
async function sendRest(
  metadata: Record<string, string>,
  file: File,
  address: string | undefined,
  keep: (address: string) => void,
  { signal, pause, piece, onProgress }: Transfer,
  progressed: () => void,
): Promise<void> {
  // It was paused while it waited for its turn.
  if (pause.isOn()) throw pausing;
  const { Upload } = await loadTus();
  const token = currentToken();
  return await new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: uploadsPath,
      ...(address ? { uploadUrl: address } : {}),
      metadata,
      chunkSize: piece,
      storeFingerprintForResuming: false,
      retryDelays: null,
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
      onUploadUrlAvailable: () => keep(new URL(upload.url ?? '', window.location.href).pathname),
      onProgress: (sent, total) => {
        watch();
        if (sent > 0) progressed();
        onProgress(sent, total);
      },
      onSuccess: () => settle(resolve),
      onError: (error) => settle(() => reject(failureOf(error, token))),
    });
    const stop = (reason: Error) => {
      void upload.abort();
      settle(() => reject(reason));
    };
    const lose = () => stop(offline());
    const cancel = () => stop(aborted());
    const stopListening = pause.onBegin(() => stop(pausing));
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    function watch() {
      clearTimeout(watchdog);
      watchdog = setTimeout(lose, silence);
    }
    function settle(then: () => void) {
      clearTimeout(watchdog);
      stopListening();
      window.removeEventListener('offline', lose);
      signal.removeEventListener('abort', cancel);
      then();
    }
    window.addEventListener('offline', lose);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) return cancel();
    watch();
    upload.start();
  });
}

/** As every failed call is told. */
function failureOf(error: Error | DetailedError, token: string | null): Error {
  const response = 'originalResponse' in error ? error.originalResponse : undefined;
  if (!response) return 'originalRequest' in error ? offline() : error;
  try {
    return answerOf(response.getStatus(), response.getBody(), token);
  } catch (failure) {
    return failure as Error;
  }
}

/** Nobody waits for it: what cannot be told now, because there is no connection, the server forgets after a day. */
function discard(address: string): void {
  const token = currentToken();
  const headers = { 'tus-resumable': '1.0.0', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  fetch(address, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
}
