import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** Asks before a page is left whose work would be lost; `question` is said when the site itself is navigated. */
export function useLeaveWarning(active: boolean, question: string): void {
  const blocker = useBlocker(active);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker, question]);
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}
