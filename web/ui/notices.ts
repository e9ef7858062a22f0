export interface Notice {
  kind: 'success' | 'error' | 'info';
  text: string;
}

// The toaster stands from the first notice on; until then notices wait here.
const waiting: Notice[] = [];
let deliver: ((notice: Notice) => void) | undefined;
let dismiss = () => {};
let wanted = false;
let wake = () => {};

/** Shows a short notice that leaves by itself; screen readers hear it. */
export function notify(kind: Notice['kind'], text: string): void {
  if (deliver) {
    deliver({ kind, text });
    return;
  }
  waiting.push({ kind, text });
  wanted = true;
  wake();
}

/** Takes the notices off the screen: what is done next makes them old. */
export function clearNotices(): void {
  waiting.length = 0;
  dismiss();
}

/** Called by the toaster once it stands. */
export function deliverNotices(by: (notice: Notice) => void, dismissAll: () => void): void {
  deliver = by;
  dismiss = dismissAll;
  waiting.splice(0).forEach(by);
}

/** Whether a notice was ever shown: from then on the toaster is wanted. */
export const noticesWanted = {
  subscribe(listener: () => void) {
    wake = listener;
    return () => {
      wake = () => {};
    };
  },
  now: () => wanted,
};
