import { useSyncExternalStore } from 'react';

/** Apps that add their name to the user agent of their own browser. */
const apps =
  /\b(FBAN|FBAV|FB_IAB|Instagram|Barcelona|Line\/|Snapchat|Twitter|musical_ly|BytedanceWebview|LinkedInApp|Pinterest|Telegram)/;

/**
 * Whether a page is shown by a browser inside another app, where Google refuses to log people in
 * (`disallowed_useragent`). Android marks a web view with `wv`; on Apple devices it lacks the word Safari, and so does
 * a site on the home screen (`installed`), in which Google works.
 */
export function isInAppBrowser(userAgent: string, installed: boolean): boolean {
  const isAppleWebView = /AppleWebKit\//.test(userAgent) && !/Safari\//.test(userAgent) && !installed;
  return isAppleWebView || /; wv\)/.test(userAgent) || apps.test(userAgent);
}

const unchanging = () => () => {};
const isHere = () => isInAppBrowser(navigator.userAgent, matchMedia('(display-mode: standalone)').matches);

/** Whether this page is shown inside another app; known after hydration, because pages are the same for everybody. */
export const useInAppBrowser = () => useSyncExternalStore(unchanging, isHere, () => false);
