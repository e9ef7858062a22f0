import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { switchLetterKeys, useLettersOn } from './letter-keys.ts';

/** Keys of every list, which are no letters and always act. */
const always: readonly (readonly [key: string, does: MessageId])[] = [
  ['↑ ↓', 'console.keys.rows'],
  ['Enter', 'console.keys.open'],
  ['Esc', 'console.keys.back'],
  ['Ctrl + Enter', 'console.keys.send'],
];

/** Keys of one letter: those of every list, and of cases. */
const letters: readonly (readonly [key: string, does: MessageId])[] = [
  ['J', 'console.keys.next'],
  ['K', 'console.keys.previous'],
  ['U', 'console.showPicture'],
  ['O', 'console.look'],
  ['C', 'console.act.claim'],
  ['R', 'console.act.release'],
  ['N', 'console.act.note'],
  ['D', 'console.act.close'],
  ['T', 'console.act.takeDown'],
  ['L', 'console.act.label'],
  ['S', 'console.act.suspend'],
  ['E', 'console.act.unlabel'],
  ['Z', 'console.act.restore'],
  ['G', 'console.act.unmerge'],
  ['H', 'console.act.uphold'],
  ['V', 'console.act.reverse'],
  ['?', 'console.keys'],
];

/** The list of keys, by a button or the key ?, with the switch for those of one letter. */
export function Keys() {
  const text = useText();
  const on = useLettersOn();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!on) return;
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (key !== '?' || ctrlKey || metaKey || altKey) return;
      if ((target as Element).closest('textarea, select, input, dialog')) return;
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [on]);
  return (
    <>
      <Button kind="quiet" aria-keyshortcuts={on ? '?' : undefined} onClick={() => setOpen(true)}>
        <Keyboard aria-hidden className="size-5" />
        {text('console.keys')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={text('console.keys')}
        closeLabel={text('dialog.close')}
      >
        <div className="grid gap-4">
          <Checkbox
            label={text('console.keys.letters')}
            checked={on}
            onChange={({ target }) => switchLetterKeys(target.checked)}
          />
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
            {[...always, ...(on ? letters : [])].map(([key, does]) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="rounded border border-line-strong px-1.5 text-[0.9375rem]">{key}</kbd>
                </dt>
                <dd>{text(does)}</dd>
              </div>
            ))}
          </dl>
          <p className="text-soft">{text('console.keys.others')}</p>
        </div>
      </Dialog>
    </>
  );
}
