import type { ReactNode } from 'react';
import { Drawing, type DrawingName } from './drawing.tsx';

interface QuietStateProps {
  title: string;
  text: string;
  /** A button or link for the next step. */
  action?: ReactNode;
  /** The page contains nothing else, so the title is the page's heading. */
  wholePage?: boolean;
}

/** Shown where a list is empty, or what is looked for is not there. */
export function EmptyState(props: QuietStateProps & { drawing: DrawingName }) {
  return <Quiet {...props} />;
}

/** Shown where loading failed. */
export function ErrorState(props: QuietStateProps) {
  return <Quiet {...props} drawing="broken" role="alert" />;
}

interface QuietProps extends QuietStateProps {
  drawing: DrawingName;
  role?: 'alert';
}

function Quiet({ drawing, title, text, action, wholePage, role }: QuietProps) {
  const Heading = wholePage ? 'h1' : 'h2';
  return (
    <div role={role} className="quiet">
      <Drawing name={drawing} />
      <Heading className="text-2xl">{title}</Heading>
      <p className="text-pretty text-soft">{text}</p>
      {action && <div>{action}</div>}
    </div>
  );
}
