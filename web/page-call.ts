import { data, type RouterContextProvider } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import { i18nOf } from './messages/catalogues.ts';
import { reasonIn } from './messages/reasons.ts';
import { pageContext } from './server-context.ts';

/** What an error page gets to know of a call that failed while the server rendered. */
export interface PageFailure {
  sentence: string;
}

/** The server's calls for a page's loader; one that fails makes the page an error page of the same status. */
export function pageCall(context: Readonly<RouterContextProvider>): CallEndpoint {
  const { call, lang } = context.get(pageContext);
  return async (endpoint, ...input) => {
    try {
      return await call(endpoint, ...input);
    } catch (error) {
      if (!isApiError(error)) throw error;
      // What is wrong with us the page says in its own language.
      if (error.status >= 500) throw data(null, { status: error.status });
      const { code, params, sentence } = error;
      throw data(
        { sentence: reasonIn(i18nOf(lang), { code, params, error: sentence }) } satisfies PageFailure,
        {
          status: error.status,
        },
      );
    }
  };
}
