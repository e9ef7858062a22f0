export interface Notice {
  kind: 'success' | 'error' | 'info';
  text: string;
  /** A button in it. */
  action?: { label: string; run: () => void } | undefined;
}

// The toaster is loaded with the first notice; until it is ready, notices are queued here.
const waiting: Notice[] = [];
let deliver: ((notice: Notice) => void) | undefined;
let dismiss = () => {};
let wanted = false;
let wake = () => {};

/** Shows a short notice that disappears by itself and is announced by screen readers. */
export function notify(kind: Notice['kind'], text: string, action?: Notice['action']): void {
  const notice = { kind, text, action };
  if (deliver) {
    deliver(notice);
    return;
  }
  waiting.push(notice);
  wanted = true;
  wake();
}

/** Removes all notices when the next action makes them obsolete. */
export function clearNotices(): void {
  waiting.length = 0;
  dismiss();
}

/** Called by the toaster when it is mounted. */
export function deliverNotices(by: (notice: Notice) => void, dismissAll: () => void): void {
  deliver = by;
  dismiss = dismissAll;
  waiting.splice(0).forEach(by);
}

/** A store that becomes true with the first notice, so that the toaster is loaded only when needed. */
export const noticesWanted = {
  subscribe(listener: () => void) {
    wake = listener;
    return () => {
      wake = () => {};
    };
  },
  now: () => wanted,
};
