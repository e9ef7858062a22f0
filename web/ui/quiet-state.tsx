import type { ReactNode } from 'react';

interface QuietStateProps {
  title: string;
  text: string;
  /** A button or link for the next step. */
  action?: ReactNode;
  /** The page contains nothing else, so the title is the page's heading. */
  wholePage?: boolean;
}

/** Shown where a list is empty. */
export function EmptyState(props: QuietStateProps) {
  return <Quiet {...props} />;
}

/** Shown where loading failed. */
export function ErrorState(props: QuietStateProps) {
  return <Quiet {...props} role="alert" />;
}

function Quiet({ title, text, action, wholePage, role }: QuietStateProps & { role?: 'alert' }) {
  const Heading = wholePage ? 'h1' : 'h2';
  return (
    <div
      role={role}
      className="mx-auto grid max-w-md content-start justify-items-center gap-3 px-4 py-14 text-center"
    >
      <div
        aria-hidden
        className="lit-night mb-3 h-28 w-20 rounded-tile shadow-raised ring-1 ring-line-strong"
      />
      <Heading className="text-2xl">{title}</Heading>
      <p className="text-pretty text-soft">{text}</p>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
