import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { deliverNotices } from './notices.ts';

export default function Toaster({ label, theme }: { label: string; theme: 'light' | 'dark' }) {
  useEffect(() => {
    deliverNotices(
      ({ kind, text }) => toast[kind](text),
      () => toast.dismiss(),
    );
  }, []);

  return (
    <Sonner
      position="bottom-center"
      theme={theme}
      containerAriaLabel={label}
      toastOptions={{
        style: {
          background: 'var(--text)',
          color: 'var(--ground)',
          border: 0,
          borderRadius: '0.75rem',
          fontFamily: 'var(--font-sans)',
          fontSize: '1rem',
        },
      }}
    />
  );
}
