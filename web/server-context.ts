import { createContext, RouterContextProvider } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';

/** What the server hands to a page during rendering. Pages are the same for everybody, so this contains nothing personal. */
export interface PageContext {
  call: CallEndpoint;
  /** Marks our inline scripts; the server puts their hashes into the content security policy. */
  nonce: string;
  /** The origin (scheme and host) for shared links. */
  origin: string;
  lang: string;
  /** The language of the query parameter (`?lang=hi`). */
  askedLang: string | null;
}

export const pageContext = createContext<PageContext>();

/**
 * Used by the server to create the context for React Router's request handler. It must call the copy in the built bundle
 * (`build.entry.module.pageContextProvider`), because contexts are compared by identity.
 */
export function pageContextProvider(page: PageContext): RouterContextProvider {
  return new RouterContextProvider(new Map([[pageContext, page]]));
}
