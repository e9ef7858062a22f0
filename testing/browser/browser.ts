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

/** A Chromium or Chrome on this machine; undefined when there is none. The headless shell has no cache of pages that were left. */
export function findBrowser({ pageCache = false } = {}): string | undefined {
  const named = process.env.CHROME_PATH;
  const places = named ? [named] : [...knownPlaces, ...downloaded.flatMap((pattern) => globSync(pattern))];
  return places.find((path) => existsSync(path) && !(pageCache && path.includes('headless-shell')));
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

/**
 * Each page of a test is a window, and Chromium starts two processes for the popups of the address bar of each window: more than half
 * of the work of an empty page. The switch replaces Playwright's, so its features are repeated here.
 */
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
].join();

/**
 * Without glass (web/ui/base.css): without a graphics card each frame of a blur takes as long as all else in it. The switch replaces
 * Playwright's, which says that there is a mouse.
 */
const blinkSettings = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'prefersReducedTransparency=true',
].join();

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, shared by its test files: each closes its contexts at the end.
 * It ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = openBrowser();
  return await (shared as Promise<Browser>);
}

/**
 * A new browser without background requests; `scrollBars` shows them as wide as on a desktop, `fontconfig` is the file that names the fonts
 * of its device, `pageCache` keeps a page that was left, for Back.
 */
export function openBrowser({
  scrollBars = false,
  fontconfig,
  pageCache = false,
}: {
  scrollBars?: boolean;
  fontconfig?: string;
  pageCache?: boolean;
} = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser({ pageCache }) ?? provideBrowser(),
    ...(fontconfig ? { env: { ...process.env, FONTCONFIG_FILE: fontconfig } } : {}),
    ignoreDefaultArgs: [
      ...(scrollBars ? ['--hide-scrollbars'] : []),
      ...(pageCache ? ['--disable-back-forward-cache'] : []),
    ],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures}`,
      `--blink-settings=${blinkSettings}`,
    ],
  });
}
