import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { tryTo, tryToInstall } from '../servers/install-packages.ts';

/** The headless shell is first: without a window to draw, a page costs a fifth less. */
const knownPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const downloaded = ['.cache/ms-playwright', 'Library/Caches/ms-playwright'].flatMap((folder) => [
  join(homedir(), folder, 'chromium-*', 'chrome-linux*', 'chrome'),
  join(homedir(), folder, 'chromium-*', 'chrome-mac*', '*.app', 'Contents', 'MacOS', '*'),
]);

/** A Chromium or Chrome on this machine; undefined when there is none. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROME_PATH;
  const places = named ? [named] : [...knownPlaces, ...downloaded.flatMap((pattern) => globSync(pattern))];
  return places.find((path) => existsSync(path));
}

/** The path of a browser, which is installed if there is none. */
export function provideBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  process.stdout.write('Installing a browser for the tests …\n');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  tryTo(process.execPath, [cli, 'install', 'chromium']);
  // Some versions of Debian lack the first package.
  for (const name of ['chromium-headless-shell', 'chromium']) if (!findBrowser()) tryToInstall(name);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'The browser tests need Chromium or Chrome; install one, or name it with CHROME_PATH=/path/to/chrome.',
  );
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, shared by its test files: each closes its contexts at the end.
 * It ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = openBrowser();
  return await (shared as Promise<Browser>);
}

/** A new browser without background requests; `scrollBars` shows them as wide as on a desktop. */
export function openBrowser({ scrollBars = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: provideBrowser(),
    ...(scrollBars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
