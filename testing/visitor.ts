import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Client } from './api-client.ts';

export interface Visitor {
  page: Page;
  /** What the console complained of, and whom but the site the page has asked. */
  complaints: string[];
  leave(): Promise<void>;
}

export interface VisitorOptions extends BrowserContextOptions {
  theme?: 'light' | 'dark';
  person?: Client;
}

/** Somebody with a browser of their own, signed in or not, who notes whatever a page complains of. */
export async function openVisitor(
  browser: Browser,
  origin: string,
  { theme = 'light', person, ...options }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) complaints.push(`asks ${url.origin}`);
  });
  const kept = { theme, ...(person ? { user: JSON.stringify(person.user), authToken: person.token } : {}) };
  await page.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, kept);
  return { page, complaints, leave: () => context.close() };
}

/** Opens a page and waits until its script has taken over. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await takenOver(page);
}

/** Waits until the script of the open page, where it has one, has taken over and fetched what it fetches. */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.documentElement.classList.contains('taken-over') ||
      (document.readyState === 'complete' && !document.querySelector('script[type="module"]')),
  );
  await page.waitForLoadState('networkidle');
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

/** From now on every layout shift of the page's documents is noted; call it before the first page is opened. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML : node?.textContent,
        );
        shifts.push(`${value.toFixed(4)}: ${moved.map((html) => html?.slice(0, 120)).join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * How far each shift went, and what moved. Where all of them together are 0 to the thousandth, as tools report it, there is
 * none: a word in the header may stand some pixels aside until its letters have come.
 */
export async function shiftsOf(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  const total = shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
  return total < 0.0005 ? [] : shifts;
}
