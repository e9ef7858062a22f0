import Bowser from 'bowser';

const [browsers, systems] = [Bowser.BROWSER_MAP, Bowser.OS_MAP].map((known) => new Set(Object.values(known)));

/**
 * The name of a browser from its User-Agent header, such as `Chrome, Android`. Only names that the library knows: the client chooses the
 * header, and the owner of the account reads the name in a mail. Undefined if the header names neither browser nor system.
 */
export function deviceNameOf(userAgent: string): string | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  const names = [
    browsers?.has(browser.name ?? '') ? browser.name : undefined,
    systems?.has(os.name ?? '') ? os.name : undefined,
  ];
  return names.filter((name) => name !== undefined).join(', ') || undefined;
}
