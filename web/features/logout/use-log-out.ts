import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { logOutEverywhere, logOutHere } from './log-out.ts';

const ways = { here: logOutHere, everywhere: logOutEverywhere };

/** Logs out, and goes to where the visitor can log in again. `leaving` is the logout that is under way. */
export function useLogOut() {
  const text = useText();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<keyof typeof ways>();

  async function logOut(way: keyof typeof ways) {
    setLeaving(way);
    try {
      const next = await ways[way]();
      if (next.startsWith('/')) await navigate(next);
      else location.assign(next);
    } catch {
      setLeaving(undefined);
      notify('error', text('profile.logoutEverywhereFailed'));
    }
  }

  return { leaving, logOut };
}
