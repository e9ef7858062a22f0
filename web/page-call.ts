import { data, type RouterContextProvider } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import { i18nOf } from './messages/catalogues.ts';
import { reasonIn } from './messages/reasons.ts';
import { pageContext } from './server-context.ts';

/** The data of the error page when a call fails during server rendering. */
export interface PageFailure {
  sentence: string;
}

/** Calls the API from a page's loader. A failed call becomes an error page with the same status. */
export function pageCall(context: Readonly<RouterContextProvider>): CallEndpoint {
  const { call, lang } = context.get(pageContext);
  return async (endpoint, ...input) => {
    try {
      return await call(endpoint, ...input);
    } catch (error) {
      if (!isApiError(error)) throw error;
      // For server errors the error page has its own message.
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

/** The answer about one person or thing; a page with status 404 if its id is unknown or invalid. */
export async function or404<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw isApiError(error) && (error.status === 404 || error.status === 400) ? notFound() : error;
  }
}

/** What a loader throws for the page with status 404. */
export const notFound = () => data(null, { status: 404 });
