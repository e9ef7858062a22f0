import Bowser from 'bowser';

const [browsers, systems] = [Bowser.BROWSER_MAP, Bowser.OS_MAP].map((known) => new Set(Object.values(known)));

/**
 * What a browser says it is, as people call it: `Chrome, Android`. Only names that the library knows: whoever logs in chooses what
 * the header says, and others read it in a mail. Undefined if it names neither browser nor system.
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
