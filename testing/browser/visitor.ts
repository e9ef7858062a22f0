import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Disposable,
  Page,
  Request,
} from 'playwright-core';

export interface Visitor {
  page: Page;
  /** Errors of the console, and requests of the page to other hosts. */
  complaints: string[];
  leave(): Promise<void>;
}

export interface VisitorOptions extends BrowserContextOptions {
  theme?: 'light' | 'dark';
  person?: { token: string; user: object };
}

/** Playwright logs this in the console of a page whose service worker it blocks. */
const blocked = 'Service Worker registration blocked by Playwright';

interface Tab {
  context: BrowserContext;
  page: Page;
  origin: string;
  /** Its options as JSON. */
  kind: string;
  /** Removes the scripts that run in each document which the page opens. */
  removeInitScripts(): Promise<void>;
  openSession: BrowserContext['newCDPSession'];
  /** Whether another visitor can get it as new. */
  isReusable: boolean;
  /** Whether a visitor has left it as new. */
  isFree: boolean;
}

/** The open tabs of each browser. */
const tabs = new WeakMap<Browser, Set<Tab>>();

function tabsOf(browser: Browser): Set<Tab> {
  const open = tabs.get(browser) ?? new Set<Tab>();
  tabs.set(browser, open);
  return open;
}

const optionsOf = (origin: string, others: BrowserContextOptions): BrowserContextOptions => ({
  baseURL: origin,
  // Requests of a page that is controlled by a service worker bypass `page.route`, and it may take control at any moment.
  serviceWorkers: 'block',
  ...others,
});

/** Closes the tabs of a site, under any name of its host, except for this many free ones without options. */
export async function closeTabs(browser: Browser, origin: string, kept: number): Promise<void> {
  const { port } = new URL(origin);
  const usual = JSON.stringify(optionsOf(origin, {}));
  const all = [...tabsOf(browser)].filter((tab) => new URL(tab.origin).port === port);
  const free = all.filter(({ isFree, kind }) => isFree && kind === usual).slice(0, kept);
  await Promise.all(all.filter((tab) => !free.includes(tab)).map(({ context }) => context.close()));
}

/** What cannot be taken back once a visitor has used it. */
const lasting = {
  page: ['clock', 'exposeBinding', 'exposeFunction', 'routeWebSocket'],
  context: ['exposeBinding', 'exposeFunction', 'addInitScript', 'newCDPSession'],
} as const;

async function openTab(browser: Browser, origin: string, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options);
  // As long as other waits of the tests (vitest.config.ts), since the machine may be busy.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const scripts: Disposable[] = [];
  const addInitScript: Page['addInitScript'] = page.addInitScript.bind(page);
  page.addInitScript = async (...script) => {
    const added = await addInitScript(...script);
    scripts.push(added);
    return added;
  };
  const tab: Tab = {
    context,
    page,
    origin,
    kind: JSON.stringify(options),
    async removeInitScripts() {
      await Promise.all(scripts.splice(0).map((script) => script.dispose()));
    },
    openSession: context.newCDPSession.bind(context),
    // A service worker may end later than its pages.
    isReusable: options.serviceWorkers === 'block' && !options.permissions,
    isFree: false,
  };
  tabsOf(browser).add(tab);
  context.once('close', () => tabsOf(browser).delete(tab));
  const note = (target: object, names: readonly string[]) => {
    for (const name of names) {
      const value = Reflect.get(target, name);
      Object.defineProperty(target, name, {
        get() {
          tab.isReusable = false;
          return value;
        },
      });
    }
  };
  note(page, lasting.page);
  note(context, lasting.context);
  return tab;
}

/** Makes a tab as new for another visitor, at a page of the site that has no script. */
async function clearTab(
  { context, page, openSession, removeInitScripts }: Tab,
  origin: string,
): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  forget(page);
  // A page with unsaved changes asks before it is left.
  page.on('dialog', (dialog) => dialog.accept());
  await Promise.all([
    removeInitScripts(),
    context.setOffline(false),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.clearPermissions(),
    context.clearCookies(),
    context.setExtraHTTPHeaders({}),
    page.setExtraHTTPHeaders({}),
    page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null }),
  ]);
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate(() => sessionStorage.clear());
  const session = await openSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Page.resetNavigationHistory');
  await session.detach();
  await page.mouse.move(-1, -1);
  forget(page);
}

/** Removes what a visitor and its test have listened to. */
function forget(page: Page): void {
  const events = [
    'console',
    'dialog',
    'download',
    'filechooser',
    'pageerror',
    'popup',
    'websocket',
    'worker',
  ];
  for (const event of [...events, 'request', 'requestfailed', 'requestfinished', 'response'])
    page.removeAllListeners(event);
  tracked.delete(page);
}

/**
 * A visitor, signed in or not, with a browser context that no other visitor uses at the same time. Records the errors of its page.
 * Service workers are blocked unless the test allows them. The tab may be one that another visitor has left: a new one starts a process
 * and compiles the scripts of the site again, which is more than half of the work of showing a page.
 */
export async function openVisitor(
  browser: Browser,
  origin: string,
  { theme = 'light', person, viewport, reducedMotion, ...others }: VisitorOptions = {},
): Promise<Visitor> {
  const options = optionsOf(origin, others);
  const kind = JSON.stringify(options);
  const free = [...tabsOf(browser)].find((tab) => tab.isFree && tab.kind === kind);
  const tab = free ?? (await openTab(browser, origin, options));
  tab.isFree = false;
  const { page, context } = tab;
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  if (reducedMotion) await page.emulateMedia({ reducedMotion });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || message.text() === blocked) return;
    // The browser reports the URL of a failed request separately from the message.
    const { url } = message.location();
    complaints.push(
      message.text().startsWith('Failed to load') ? `${message.text()} ${url}` : message.text(),
    );
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) complaints.push(`asks ${url.origin}`);
  });
  const stored = { theme, ...(person ? { user: JSON.stringify(person.user), authToken: person.token } : {}) };
  await page.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, stored);
  return {
    page,
    complaints,
    async leave() {
      if (!tab.isReusable || page.isClosed()) return await context.close();
      try {
        await clearTab(tab, origin);
        tab.isFree = true;
      } catch {
        // The test has stopped the site, or the page has crashed.
        await context.close();
      }
    },
  };
}

/** Opens a page and waits until it is hydrated and has no pending requests. */
export async function visit(page: Page, path: string): Promise<void> {
  underWay(page).clear();
  await page.goto(path);
  await takenOver(page);
}

/** Waits until the open page is hydrated, if it has a script, and has no pending requests. */
export async function takenOver(page: Page): Promise<void> {
  const pending = underWay(page);
  await page.waitForFunction(
    () =>
      document.documentElement.classList.contains('taken-over') ||
      (document.readyState === 'complete' && !document.querySelector('script[type="module"]')),
  );
  // Idle twice without pending requests: then the effects of the last response are done too. Playwright's own
  // 'networkidle' fires once per page, perhaps before the script of a slow machine has requested anything.
  for (let idle = 0; idle < 2; ) {
    await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => done(null), { timeout: 1000 })),
    );
    if (pending.size === 0) idle += 1;
    else {
      idle = 0;
      await page.waitForTimeout(20);
    }
  }
}

/**
 * Waits until the page of a URL is shown. The URL alone changes earlier, while the previous page
 * can still be clicked and filled in.
 */
export async function arrive(page: Page, address: Parameters<Page['waitForURL']>[0]): Promise<void> {
  await page.waitForURL(address);
  await takenOver(page);
}

/**
 * Performs an action, and waits for a heading that is shown only briefly, such as a message of two seconds. A script in the page looks for
 * it in each frame, because on a slow machine it may disappear between two queries of the test.
 */
export async function untilHeading(page: Page, words: string, act: () => Promise<unknown>): Promise<void> {
  const seen = page.waitForFunction(
    (wanted) => [...document.querySelectorAll('h1, h2, h3')].some((one) => one.textContent === wanted),
    words,
  );
  await Promise.all([seen, act()]);
}

const tracked = new WeakMap<Page, Set<Request>>();
/** The pending requests of a page, except for media, which may last as long as they play. */
function underWay(page: Page): Set<Request> {
  const known = tracked.get(page);
  if (known) return known;
  const pending = new Set<Request>();
  tracked.set(page, pending);
  page.on('request', (request) => {
    if (['fetch', 'xhr', 'script', 'stylesheet', 'font', 'image'].includes(request.resourceType())) {
      pending.add(request);
    }
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return pending;
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Records every layout shift of the page from now on; call it before the first page is opened. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      const corners = ({ x, y, right, bottom }: DOMRectReadOnly) =>
        [x, y, right, bottom].map(Math.round).join(' ');
      for (const { value, sources, startTime } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const html = node instanceof Element ? node.outerHTML : node?.textContent;
          return `${corners(previousRect)} → ${corners(currentRect)} ${html?.slice(0, 120)}`;
        });
        shifts.push(`${value.toFixed(4)} at ${Math.round(startTime)}: ${moved.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * The size of each shift, and what moved. A sum below a thousandth is ignored: on a busy machine
 * a word may move by some pixels when its font arrives.
 */
export async function shiftsOf(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  const total = shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
  return total < 0.001 ? [] : shifts;
}
