import { createContext, RouterContextProvider } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';

/** What the server lends a page while rendering it. Pages are the same for everybody, so no person is in here. */
export interface PageContext {
  call: CallEndpoint;
  /** Marks our own inline scripts; the server turns each into a hash in its policy. */
  nonce: string;
  /** Scheme and host of the site, as shared links spell it. */
  origin: string;
  lang: string;
  /** The language that the address itself asks for (`?lang=hi`). */
  askedLang: string | null;
}

export const pageContext = createContext<PageContext>();

/**
 * For the server: wraps what it lends for React Router's request handler. Call the copy in the built bundle
 * (`build.entry.module.pageContextProvider`): contexts are told apart by identity.
 */
export function pageContextProvider(page: PageContext): RouterContextProvider {
  return new RouterContextProvider(new Map([[pageContext, page]]));
}
