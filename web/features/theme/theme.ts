import { useSyncExternalStore } from 'react';
import { storageKeys } from '#web/storage-keys.ts';

export type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

/**
 * Runs before the first paint, so that neither theme nor header flashes: the theme is a class on the body
 * (specification §2, light by default), a signed-in person never sees "Login" first, and who has chosen another list than
 * Newest does not see it on Home (feed.css).
 */
export const beforePaint = `try{if(localStorage.getItem('${storageKeys.theme}')==='dark')document.body.classList.replace('light','dark');if(localStorage.getItem('${storageKeys.user}')&&localStorage.getItem('${storageKeys.token}'))document.documentElement.classList.add('signed-in');const t=localStorage.getItem('${storageKeys.homeTab}');if(t)document.documentElement.dataset.tab=t}catch{}`;

function wear(theme: Theme): void {
  document.body.classList.remove('light', 'dark');
  document.body.classList.add(theme);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = ({ key, newValue }: StorageEvent) => {
    if (key === storageKeys.theme) wear(newValue === 'dark' ? 'dark' : 'light');
  };
  listeners.add(listener);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromOtherTab);
  };
}

const worn = (): Theme => (document.body.classList.contains('dark') ? 'dark' : 'light');

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore<Theme>(subscribe, worn, () => 'light');
  return [theme, chooseTheme];
}

function chooseTheme(theme: Theme): void {
  wear(theme);
  try {
    localStorage.setItem(storageKeys.theme, theme);
  } catch {
    // Storage is full or forbidden: the choice lasts as long as the page.
  }
}
