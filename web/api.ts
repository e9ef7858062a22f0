import { ApiError } from '../contract/api-error.ts';
import type { Caller } from '../contract/call.ts';
import type { Endpoint, Result } from '../contract/endpoint.ts';
import type { Failure } from '../contract/errors.ts';
import { currentToken, endSession } from './features/session/session.ts';

const offline = () =>
  new ApiError(0, 'offline', 'You seem to be offline. Please check your connection and try again.');
const aborted = () => new ApiError(0, 'aborted', 'Cancelled.');

interface Input {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** Calls the server as the signed-in person, if there is one (contract/call.ts). */
export const call: Caller = async (endpoint, ...[input, options]) => {
  const { body, ...rest } = (input ?? {}) as Input;
  const token = currentToken();
  const headers = new Headers(token ? { authorization: `Bearer ${token}` } : {});
  if (body !== undefined) headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(addressOf(endpoint, rest), {
      method: endpoint.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options?.signal ? { signal: options.signal } : {}),
    });
  } catch {
    throw options?.signal?.aborted ? aborted() : offline();
  }
  return answerOf(response.status, await response.text(), token);
};

export interface UploadOptions {
  /** Bytes sent so far and in all, the few bytes of multipart wrapping included. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
}

/** Sends one file as the multipart part `file`, telling how far it is: `fetch` cannot. */
export function upload<E extends Endpoint>(
  endpoint: E,
  file: File,
  options: UploadOptions = {},
): Promise<Result<E>> {
  const { onProgress, signal } = options;
  const token = currentToken();
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted());
    const request = new XMLHttpRequest();
    request.open(endpoint.method, endpoint.path);
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = (event) => onProgress?.(event.loaded, event.total);
    request.onerror = () => reject(offline());
    request.onabort = () => reject(aborted());
    request.onload = () => {
      try {
        resolve(answerOf(request.status, request.responseText, token));
      } catch (error) {
        reject(error);
      }
    };
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Input): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
}

function answerOf<R>(status: number, text: string, token: string | null): R {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // Not our server's words: a proxy's error page, or an answer cut short.
    throw new ApiError(
      status,
      'unavailable',
      'The server could not be reached. Please try again in a moment.',
    );
  }
  if (status >= 200 && status < 300) return answer as R;
  if (status === 401 && token) endSession(token);
  const { error, code, field } = answer as Failure;
  throw new ApiError(status, code, error, field);
}
