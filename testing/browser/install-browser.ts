import { provideBrowser } from './browser.ts';

/** Installs a browser before the workers start if there is none: two workers that install at once lock each other out. */
export default function setup(): void {
  provideBrowser();
}
