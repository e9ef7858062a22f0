import type { Copy } from '#contract/copies.ts';
import type { Reel } from '#contract/reels.ts';
import { CopyNote } from '#web/features/earnings/copy-note.tsx';
import { useText } from '#web/text.tsx';

/** Of which reel a new one is a copy, and whether an operator still has to decide that. */
export default function CopyOfReel({ reel, copy }: { reel: Reel; copy: Copy }) {
  const text = useText();
  return (
    <>
      {reel.takenDown && <p role="status">{text('copy.waits')}</p>}
      <CopyNote kind="reel" id={reel._id} copy={copy} />
    </>
  );
}
