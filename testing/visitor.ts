import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Client } from './api-client.ts';

export interface Visitor {
  page: Page;
  /** What the console complained of, and whom but the site the page has asked. */
  complaints: string[];
  leave(): Promise<void>;
}

interface VisitorOptions extends BrowserContextOptions {
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
  await page.waitForLoadState('networkidle');
}
