import type { Copy } from '#contract/copies.ts';
import type { Reel } from '#contract/reels.ts';
import { CopyNote } from '#web/features/earnings/copy-note.tsx';
import { useText } from '#web/text.tsx';

/** What a new reel was taken for, and whether it waits for a person. */
export default function CopyOfReel({ reel, copy }: { reel: Reel; copy: Copy }) {
  const text = useText();
  return (
    <>
      {reel.takenDown && <p role="status">{text('copy.waits')}</p>}
      <CopyNote kind="reel" id={reel._id} copy={copy} />
    </>
  );
}
