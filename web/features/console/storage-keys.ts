/** Names under which the console alone stores data in the browser, so that other pages do not load them (web/storage-keys.ts). */
export const consoleKeys = {
  /** Set if an operator has switched off keys of one letter (WCAG 2.1.4). */
  lettersOff: 'letters.off',
} as const;
