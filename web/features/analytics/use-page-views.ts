import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { optsOutOfTracking } from '#web/do-not-track.ts';
import { runWhenIdle } from '#web/run-when-idle.ts';
import { useSite } from '../chrome/use-site.ts';
import type { Analytics } from './adapter.ts';

let analytics: Promise<Analytics> | undefined;

/** Loads the service when the page is idle, and only if it is configured, so that no page waits for it. */
function start(measurementId: string): Promise<Analytics> {
  analytics ??= new Promise<void>((settled) => runWhenIdle(settled)).then(async () =>
    (await import('./google-analytics.ts')).googleAnalytics(measurementId),
  );
  return analytics;
}

/** Counts opened pages if the operator has set a measurement id and the browser does not object. Used by the root. */
export function usePageViews(): void {
  const { measurementId } = useSite();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!measurementId || optsOutOfTracking()) return;
    const path = pathname.replace(/[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}/gi, ':id');
    start(measurementId).then(
      (service) => service.pageView(path),
      // A blocked or unreachable service is ignored.
      () => undefined,
    );
  }, [measurementId, pathname]);
}
