import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { siteAnswers } from './site-answers.ts';

/** `onClose` is called if the part cannot be shown; `waiting` is shown until it is there. */
type Closable<Props> = Props & { onClose?: () => void; waiting?: ReactNode };

/**
 * A part of a page whose script is loaded on demand. If loading fails, a message is shown, the part is closed and the
 * page stays. Some browsers remember a failed script for as long as the page lives, so if a second attempt fails
 * although the site responds, the page is reloaded.
 */
export function fetchedPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Closable<Props>> {
  let fetched: ComponentType<Props> | undefined;
  let missedBefore = false;
  return function FetchedPart(props: Closable<Props>) {
    const text = useText();
    const [Part, setPart] = useState(() => fetched);
    const missed = useEffectEvent(async () => {
      if (missedBefore && (await siteAnswers())) return location.replace(location.pathname + location.search);
      missedBefore = true;
      notify('error', text('offline.partMissing'));
      props.onClose?.();
    });
    useEffect(() => {
      if (Part) return;
      let wanted = true;
      load().then(
        (module) => {
          fetched = module.default;
          if (wanted) setPart(() => module.default);
        },
        () => void (wanted && missed()),
      );
      return () => {
        wanted = false;
      };
    }, [Part]);
    return Part ? <Part {...props} /> : props.waiting;
  };
}
