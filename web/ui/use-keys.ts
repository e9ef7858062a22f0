import { useEffect, useEffectEvent } from 'react';

/** Fields and open menus have keys of their own. */
const theirs = 'textarea, select, input:not([type=range]), details[open]';

/**
 * Keys of a page, without a modifier. `actionsFor` gets the element that has the focus, and returns what each key does there, by its name
 * in lower case. A key that is held does it once.
 */
export function useKeys(
  active: boolean,
  actionsFor: (target: Element) => Record<string, (() => void) | undefined>,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element;
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.defaultPrevented || isModified || target.closest(theirs)) return;
    const action = actionsFor(target)[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  });

  useEffect(() => {
    if (!active) return;
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [active]);
}
