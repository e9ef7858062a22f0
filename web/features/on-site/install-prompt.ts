/** Chromium's own event, which no type of the library names. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallPrompt | undefined;
let tell = () => {};

if (!import.meta.env.SSR)
  window.addEventListener('beforeinstallprompt', (event) => {
    // The browser's own bar is not shown: the page has a button.
    event.preventDefault();
    offered = event as InstallPrompt;
    tell();
  });

/** Whether the browser offers to install the site, as a store for React. */
export const installOffered = {
  subscribe(listener: () => void) {
    tell = listener;
    return () => {
      tell = () => {};
    };
  },
  now: () => offered !== undefined,
};

/** Asks the browser to install the site. It offers that once. */
export function install(): void {
  void offered?.prompt();
  offered = undefined;
  tell();
}
