import { addressOf } from '#contract/address.ts';
import { ApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import type { Failure } from '#contract/failure.ts';
import { ChangedFile, isReadable } from './changed-file.ts';
import { currentToken, expireSession } from './features/session/session.ts';
import { i18nOf } from './messages/catalogues.ts';
import { reasonHere } from './messages/reasons.ts';

export const offline = () => ours(0, 'offline', 'offline');
export const aborted = () => ours(0, 'aborted', 'aborted');

/** The errors of calls that got no response from the server. */
function ours(status: number, code: string, why: 'offline' | 'aborted' | 'unreached'): ApiError {
  return new ApiError(status, code, i18nOf(document.documentElement.lang)._(`call.${why}`));
}

interface Input {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** Calls the API, with the session's token if a person is signed in (contract/call.ts). */
export const call: CallEndpoint = async (endpoint, ...[input, options]) => {
  const { body, ...rest } = (input ?? {}) as Input;
  const token = currentToken();
  const headers = new Headers({
    ...options?.headers,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const sent = options?.file ? formOf(options.file) : body === undefined ? undefined : JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(addressOf(endpoint, rest), {
      method: endpoint.method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
      ...(options?.keepalive ? { keepalive: true } : {}),
      ...(options?.signal ? { signal: options.signal } : {}),
    });
  } catch {
    if (options?.signal?.aborted) throw aborted();
    // The browser refuses to send a changed file with the same error as without a network.
    throw !options?.file || (await isReadable(options.file)) ? offline() : new ChangedFile();
  }
  return answerOf(response.status, await response.text(), token);
};

function formOf(file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}

/** Returns the data of a successful response. A failure is thrown; a 401 for an expired session also ends it here. */
export function answerOf<R>(status: number, text: string, token: string | null): R {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // The body is not from our server: it is a proxy's error page, or it is incomplete.
    throw ours(status, 'unavailable', 'unreached');
  }
  if (status >= 200 && status < 300) return answer as R;
  const { error, code, field, params, fields = [] } = answer as Failure;
  // A 401 for another reason, such as a wrong password, does not end the session.
  if (code === 'not_signed_in' && token) expireSession(token);
  const sentence = reasonHere({ code, params, error });
  throw new ApiError(status, code, sentence, {
    ...(field === undefined ? {} : { field }),
    fields: Object.fromEntries(fields.map((one) => [one.field, { ...one, error: reasonHere(one) }])),
  });
}
