import { provideBrowser } from './browser.ts';

/** Installs a browser if there is none, before the workers start: two workers that install at once would block each other. */
export default function setup(): void {
  provideBrowser();
}
