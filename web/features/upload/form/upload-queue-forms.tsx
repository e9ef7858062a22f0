import { Plus } from 'lucide-react';
import { type Dispatch, type ReactNode, useEffect, useReducer, useRef } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { notify } from '#web/ui/notices.ts';
import type { Media } from '../media/media.ts';
import { chooseFiles } from './file-input.ts';
import { LeaveWarning } from './leave-warning.tsx';
import { takeSharedFiles } from './shared-files.ts';
import { initialQueue, type QueueAction, type QueueItem, queueReducer } from './upload-queue.ts';

/** The server allows one person this many unfinished uploads. */
const maxItems = 10;

/** Connects one form to the queue. */
export interface QueueSlot {
  item: QueueItem;
  /** The queue has no other item. */
  isOnly: boolean;
  /** The form shows its fields. */
  isOpen: boolean;
  dispatch: Dispatch<QueueAction>;
  /** Adds more files to the queue. */
  addFiles: (files: File[]) => void;
}

interface UploadQueueFormsProps {
  media: Media;
  /** Files of this kind that another app shared are added at once. */
  shared?: 'video' | 'image';
  children: (slot: QueueSlot) => ReactNode;
}

/** Shows one form per file. Each file is queued, uploaded, retried and published independently of the others. */
export function UploadQueueForms({ media, shared, children }: UploadQueueFormsProps) {
  const text = useText();
  const [{ items, openId }, dispatch] = useReducer(queueReducer, initialQueue);
  const list = useRef<HTMLUListElement>(null);
  const isOnly = items.length === 1;
  const hasFiles = items.some(({ state }) => state !== 'nothing');

  useEffect(() => {
    if (!shared) return;
    let left = false;
    void takeSharedFiles(shared).then((files) => {
      if (left || files.length === 0) return;
      dispatch({ type: 'add', files: files.slice(0, maxItems) });
      dispatch({ type: 'remove', id: initialQueue.items[0]?.id ?? 0 });
    });
    return () => {
      left = true;
    };
  }, [shared]);

  function addFiles(files: File[]) {
    const room = maxItems - items.length;
    if (files.length > room) notify('info', text('upload.atMost', { most: maxItems }));
    dispatch({ type: 'add', files: files.slice(0, room) });
  }
  function publishAll() {
    for (const form of list.current?.querySelectorAll('form') ?? []) form.requestSubmit();
  }
  return (
    <>
      <LeaveWarning active={hasFiles} />
      <ul
        ref={list}
        aria-label={isOnly ? undefined : text('upload.several', { count: items.length })}
        data-several={!isOnly || undefined}
        role={isOnly ? 'presentation' : undefined}
        className="grid gap-3"
      >
        {items.map((item) => (
          <li key={item.id} role={isOnly ? 'presentation' : undefined}>
            {children({ item, isOnly, isOpen: isOnly || item.id === openId, dispatch, addFiles })}
          </li>
        ))}
      </ul>
      {hasFiles && (
        <div className={classNames('mt-3 grid gap-3 sm:flex sm:flex-wrap', isOnly && 'md:ml-80')}>
          {!isOnly && (
            <Button kind="primary" onClick={publishAll}>
              {text('upload.publishAll')}
            </Button>
          )}
          {items.length < maxItems && (
            <Button onClick={() => void chooseFiles(media.accept).then(addFiles)}>
              <Plus aria-hidden className="size-5" />
              {text('upload.add')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
