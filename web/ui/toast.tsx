import { type ComponentProps, useEffect, useState, useSyncExternalStore } from 'react';
import { runOnFirstInput } from '../run-when-idle.ts';
import { noticesWanted } from './notices.ts';
import { PlainNotice } from './plain-notice.tsx';
import type Toaster from './toaster.tsx';

/** The longest that the first notice waits for the toaster, in milliseconds. */
const patience = 2000;

const load = () => import('./toaster.tsx');

/** The container of notices; the root renders it once. */
export function Notices(props: ComponentProps<typeof Toaster>) {
  const show = useSyncExternalStore(noticesWanted.subscribe, noticesWanted.now, () => false);
  const [Shown, setShown] = useState<typeof Toaster>();
  useEffect(() => {
    // The toaster is loaded early, because notices about a lost network must work offline. If this fails, the first notice loads it.
    runOnFirstInput(() => void load().catch(() => undefined));
  }, []);
  useEffect(() => {
    if (!show) return;
    const take = (found: typeof Toaster) => setShown((before: typeof Toaster | undefined) => before ?? found);
    // A network may fail without a word, so a notice does not wait long for its script.
    const waiting = setTimeout(() => take(PlainNotice), patience);
    load().then(
      (module) => take(module.default),
      () => take(PlainNotice),
    );
    return () => clearTimeout(waiting);
  }, [show]);
  return Shown ? <Shown {...props} /> : null;
}
