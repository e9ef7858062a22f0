import { describe, expect, it } from 'vitest';
import { initialQueue, type QueueAction, queueReducer, type UploadQueue } from './upload-queue.ts';

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const queueAfter = (...actions: QueueAction[]) => actions.reduce(queueReducer, initialQueue);
const openFile = ({ items, openId }: UploadQueue) => items.find(({ id }) => id === openId)?.initialFile?.name;
const addTwo: QueueAction = { type: 'add', files: files('b', 'c') };

describe('the upload queue', () => {
  it('keeps the order in which files were added, and leaves the first form open', () => {
    const queue = queueAfter(addTwo);
    expect(queue.items.map(({ initialFile }) => initialFile?.name)).toEqual([undefined, 'b', 'c']);
    expect(queue.openId).toBe(0);
  });

  it('opens the next form while a file uploads, and its own form again when the upload ends without publishing', () => {
    const sent = queueAfter(addTwo, { type: 'setState', id: 0, state: 'transfer' });
    expect(openFile(sent)).toBe('b');
    const all = [1, 2]
      .map((id): QueueAction => ({ type: 'setState', id, state: 'transfer' }))
      .reduce(queueReducer, sent);
    expect(all.openId).toBeUndefined();
    expect(openFile(queueReducer(all, { type: 'setState', id: 2, state: 'file' }))).toBe('c');
  });

  it('leaves the open form open when another file is published', () => {
    const queue = queueAfter(addTwo, { type: 'open', id: 2 }, { type: 'remove', id: 1 });
    expect(queue.items.map(({ id }) => id)).toEqual([0, 2]);
    expect(queue.openId).toBe(2);
  });

  it('shows one empty form when the last file is removed', () => {
    const queue = queueAfter(
      addTwo,
      { type: 'remove', id: 0 },
      { type: 'remove', id: 1 },
      { type: 'remove', id: 2 },
    );
    expect(queue).toMatchObject({ items: [{ id: 3, initialFile: undefined, state: 'nothing' }], openId: 3 });
  });
});
