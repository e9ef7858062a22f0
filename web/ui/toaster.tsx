import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { deliverNotices } from './notices.ts';

/** Above the bar at the foot of a small screen. */
const offset = { bottom: 'calc(var(--foot) + 1rem)' };

export default function Toaster({ label, theme }: { label: string; theme: 'light' | 'dark' }) {
  useEffect(() => {
    deliverNotices(
      ({ kind, text, action }) =>
        toast[kind](text, action && { action: { label: action.label, onClick: action.run }, duration: 8000 }),
      () => toast.dismiss(),
    );
  }, []);

  return (
    <Sonner
      position="bottom-center"
      offset={offset}
      mobileOffset={offset}
      theme={theme}
      containerAriaLabel={label}
      // The font of the page, which in Hindi has all letters; the library has a font of its own.
      style={{ fontFamily: 'inherit' }}
      toastOptions={{
        style: {
          background: 'var(--text)',
          color: 'var(--ground)',
          border: 0,
          borderRadius: '0.75rem',
          fontSize: '1rem',
        },
      }}
    />
  );
}
