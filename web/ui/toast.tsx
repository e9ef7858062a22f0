import { type ComponentProps, useEffect, useState, useSyncExternalStore } from 'react';
import { whenTouched } from '../when-settled.ts';
import { noticesWanted } from './notices.ts';
import { PlainNotice } from './plain-notice.tsx';
import type Toaster from './toaster.tsx';

const load = () => import('./toaster.tsx');

/** The place notices appear; stands once, in the root. */
export function Notices(props: ComponentProps<typeof Toaster>) {
  const show = useSyncExternalStore(noticesWanted.subscribe, noticesWanted.now, () => false);
  const [Shown, setShown] = useState<typeof Toaster>();
  useEffect(() => {
    // What fails for want of a network is told without one. Where even this fails, the first notice tries again.
    whenTouched(() => void load().catch(() => undefined));
  }, []);
  useEffect(() => {
    if (!show) return;
    load().then(
      (module) => setShown(() => module.default),
      () => setShown(() => PlainNotice),
    );
  }, [show]);
  return Shown ? <Shown {...props} /> : null;
}
