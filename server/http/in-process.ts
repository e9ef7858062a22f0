import { ApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import { answersFile, type Endpoint, type Result } from '#contract/endpoint.ts';
import { retryOnConflict } from '../platform/database/conflicts.ts';
import type { Cookies, Request, Route } from '../platform/route.ts';
import { asRefusal, invalidInput, ofField } from './failures.ts';
import { refuseHost } from './host.ts';

/** The client on whose behalf a call is made. */
export interface RequestSource {
  address: string;
  userAgent: string;
  /** Called when the content of public lists has changed. */
  onListsChanged: () => void;
}
const noCookies: Cookies = { read: () => undefined, set: () => undefined };
const noSource: RequestSource = { address: '', userAgent: '', onListsChanged: () => {} };

/**
 * Returns a function that calls endpoints in this process, without network and without a token. Pages use it to load public data and to
 * send a visitor's form.
 */
export function createInProcessCalls(routes: readonly Route[]): (sender?: RequestSource) => CallEndpoint {
  const byEndpoint = new Map(
    routes.map((route) => [`${route.endpoint.method} ${route.endpoint.path}`, route]),
  );
  return ({ address, userAgent, onListsChanged } = noSource) =>
    async ({ method, path }, ...[sent]) => {
      const input: Partial<Record<'params' | 'query' | 'body', unknown>> = sent ?? {};
      const route = byEndpoint.get(`${method} ${path}`);
      if (!route || answersFile(route.endpoint.response))
        throw new Error(`no rule of pages is tied to ${method} ${path}`);
      // A call from a worker thread carries only method and path, so the full endpoint is taken from the route.
      const { endpoint } = route;
      const { response } = route.endpoint;
      try {
        const part = (name: 'params' | 'query' | 'body') => {
          const parsed = endpoint[name]?.safeParse(input[name] ?? {});
          if (parsed && !parsed.success) throw invalidInput(parsed.error.issues);
          return parsed?.data;
        };
        const request = {
          params: part('params'),
          query: part('query'),
          body: part('body'),
          caller: undefined,
          token: undefined,
          address,
          userAgent,
          cookies: noCookies,
          // Pages know their own.
          origin: refuseHost,
          file: undefined,
        } as unknown as Request<Endpoint>;
        const { answer, changed } = await retryOnConflict(() => route.handle(request));
        if (changed) onListsChanged();
        return response.parse({ status: 'ok', ...answer }) as Result<typeof endpoint>;
      } catch (error) {
        const refusal = asRefusal(error);
        // A page may show that the site is temporarily unavailable (503), but not the details of an internal error.
        if (refusal.status >= 500 && refusal.status !== 503) throw error;
        throw new ApiError(refusal.status, refusal.code, refusal.message, {
          ...(refusal.field === undefined ? {} : { field: refusal.field }),
          params: refusal.params,
          fields: Object.fromEntries(refusal.others.map(ofField).map((fault) => [fault.field, fault])),
        });
      }
    };
}
