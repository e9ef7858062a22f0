import { Plus } from 'lucide-react';
import { type Dispatch, type ReactNode, useEffect, useReducer, useRef } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { notify } from '#web/ui/notices.ts';
import { chooseFiles } from './files-given.ts';
import { LeaveWarning } from './leave-warning.tsx';
import type { Media } from './media.ts';
import { type Change, changed, type Entry, one } from './several.ts';
import { takeShared } from './shared-files.ts';

/** As many as the server takes unfinished of one person. */
const most = 10;

/** A form's place among the others. */
export interface Place {
  entry: Entry;
  /** There is no other. */
  alone: boolean;
  /** Its words are shown. */
  open: boolean;
  change: Dispatch<Change>;
  /** Takes files beside its own. */
  add: (files: File[]) => void;
}

interface SeveralFormsProps {
  media: Media;
  /** It takes the files of this kind that another app has shared. */
  shared?: 'video' | 'image';
  children: (place: Place) => ReactNode;
}

/** A form for each file that is given; each waits, travels, fails and is published on its own. */
export function SeveralForms({ media, shared, children }: SeveralFormsProps) {
  const text = useText();
  const [{ entries, shown }, change] = useReducer(changed, one);
  const list = useRef<HTMLUListElement>(null);
  const alone = entries.length === 1;
  const holds = entries.some(({ holding }) => holding !== 'nothing');

  useEffect(() => {
    if (!shared) return;
    let left = false;
    void takeShared(shared).then((files) => {
      if (left || files.length === 0) return;
      change({ type: 'add', files: files.slice(0, most) });
      change({ type: 'end', id: one.entries[0]?.id ?? 0 });
    });
    return () => {
      left = true;
    };
  }, [shared]);

  function add(files: File[]) {
    const room = most - entries.length;
    if (files.length > room) notify('info', text('upload.atMost', { most }));
    change({ type: 'add', files: files.slice(0, room) });
  }
  function publishAll() {
    for (const form of list.current?.querySelectorAll('form') ?? []) form.requestSubmit();
  }
  return (
    <>
      <LeaveWarning active={holds} />
      <ul
        ref={list}
        aria-label={alone ? undefined : text('upload.several', { count: entries.length })}
        data-several={!alone || undefined}
        role={alone ? 'presentation' : undefined}
        className="grid gap-3"
      >
        {entries.map((entry) => (
          <li key={entry.id} role={alone ? 'presentation' : undefined}>
            {children({ entry, alone, open: alone || entry.id === shown, change, add })}
          </li>
        ))}
      </ul>
      {holds && (
        <div className={classNames('mt-3 grid gap-3 sm:flex sm:flex-wrap', alone && 'md:ml-80')}>
          {!alone && (
            <Button kind="primary" onClick={publishAll}>
              {text('upload.publishAll')}
            </Button>
          )}
          {entries.length < most && (
            <Button onClick={() => void chooseFiles(media.accept).then(add)}>
              <Plus aria-hidden className="size-5" />
              {text('upload.add')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
