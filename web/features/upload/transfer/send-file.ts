import type { DetailedError } from 'tus-js-client';
import { isApiError } from '#contract/api-error.ts';
import type { Result } from '#contract/endpoint.ts';
import { finishUpload, type SentKind, uploadsPath } from '#contract/uploads.ts';
import { aborted, answerOf, call, offline } from '#web/api.ts';
import { ChangedFile, isReadable } from '#web/changed-file.ts';
import { currentToken } from '#web/features/session/session.ts';
import { limitUploads } from './concurrency-limit.ts';
import { pausedSignal, withRetry } from './retry.ts';
import { pageLeft, type Transfer } from './transfer.ts';
import { findUploadUrl, fingerprintOf, removeUploadUrl, saveUploadUrl } from './upload-urls.ts';

export type SentFile = Result<typeof finishUpload>;

/** A connection without progress for so long is treated as lost. */
const stallTimeoutMs = 60_000;

/** The library is loaded on demand, because most pages do not upload anything. */
export const loadTus = () => import('tus-js-client');

/**
 * Uploads a file in chunks, has the server check it, and returns the result. An interrupted upload resumes, also after a
 * reload. A cancelled upload is deleted on the server.
 */
export async function sendFile(
  kind: SentKind,
  file: File,
  transfer: Transfer,
  /** SHA-256 in hex of the original file, if this file is a compressed version. */
  original?: string,
): Promise<SentFile> {
  const metadata = { kind, ...(original ? { original } : {}) };
  const fingerprint = fingerprintOf(kind, file);
  let uploadUrl = findUploadUrl(fingerprint);
  const onUrl = (found: string) => {
    uploadUrl = found;
    saveUploadUrl(fingerprint, found);
  };
  try {
    await withRetry(transfer, async (progressed) => {
      // A request with a changed file fails like one without a network, so each attempt looks first.
      if (!(await isReadable(file))) throw new ChangedFile();
      const rest = () => sendRest(metadata, file, uploadUrl, onUrl, transfer, progressed);
      return await limitUploads(rest, transfer.signal, transfer.onQueued);
    });
    const params = { key: uploadUrl?.split('/').at(-1) ?? '' };
    const { signal } = transfer;
    const sent = await withRetry(transfer, () => call(finishUpload, { params }, { signal }));
    removeUploadUrl(fingerprint);
    return sent;
  } catch (error) {
    if (transfer.signal.aborted) {
      if (transfer.signal.reason === pageLeft) throw pageLeft;
      if (uploadUrl) discard(uploadUrl);
      removeUploadUrl(fingerprint);
      throw aborted();
    }
    // The server refused the file itself, so a retry must start a new upload.
    if (isApiError(error) && error.status >= 400 && error.status < 500 && error.code !== 'upload_incomplete')
      removeUploadUrl(fingerprint);
    throw error;
  }
}

/** Sends the part that the server does not have; starts a new upload if the server has deleted the old one. */
async function sendRest(
  metadata: Record<string, string>,
  file: File,
  uploadUrl: string | undefined,
  onUrl: (uploadUrl: string) => void,
  { signal, pause, chunkBytes, onProgress }: Transfer,
  progressed: () => void,
): Promise<void> {
  // The upload was paused while it waited for a slot.
  if (pause.isOn()) throw pausedSignal;
  const { Upload } = await loadTus();
  const token = currentToken();
  return await new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: uploadsPath,
      ...(uploadUrl ? { uploadUrl } : {}),
      metadata,
      chunkSize: chunkBytes,
      storeFingerprintForResuming: false,
      retryDelays: null,
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
      onUploadUrlAvailable: () => onUrl(new URL(upload.url ?? '', window.location.href).pathname),
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
    const stopListening = pause.onBegin(() => stop(pausedSignal));
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    function watch() {
      clearTimeout(watchdog);
      watchdog = setTimeout(lose, stallTimeoutMs);
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

/** Converts an error of tus into the error that all other calls throw. */
function failureOf(error: Error | DetailedError, token: string | null): Error {
  const response = 'originalResponse' in error ? error.originalResponse : undefined;
  if (!response) return 'originalRequest' in error ? offline() : error;
  try {
    return answerOf(response.getStatus(), response.getBody(), token);
  } catch (failure) {
    return failure as Error;
  }
}

/** Deletes the upload without waiting. If there is no connection, the server deletes it after a day. */
function discard(uploadUrl: string): void {
  const token = currentToken();
  const headers = { 'tus-resumable': '1.0.0', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  fetch(uploadUrl, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
}
