import type { Analytics } from './adapter.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Google Analytics 4 with its own script, without cookies: consent to storage is denied before it starts. */
export function googleAnalytics(measurementId: string): Analytics {
  window.dataLayer ??= [];
  const queue = window.dataLayer;
  function send(..._command: unknown[]) {
    // biome-ignore lint/complexity/noArguments: the service reads commands only from an arguments object
    queue.push(arguments);
  }
  send('consent', 'default', {
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'denied',
  });
  send('js', new Date());
  send('config', measurementId, { send_page_view: false, allow_google_signals: false });
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${measurementId}`;
  document.head.append(script);
  return {
    pageView: (path) =>
      send('event', 'page_view', {
        page_location: location.origin + path,
        page_path: path,
        page_title: '',
        page_referrer: '',
      }),
  };
}
