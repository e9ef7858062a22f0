interface Screen {
  /** Name of the picture `web/public/screens/<name>.webp`, which `node tools/screens.ts` renders from the site. */
  name: string;
  /** The page in the picture, and its theme. */
  path: string;
  theme: 'light' | 'dark';
}

/** The 8 screenshots of specification §2, /DownloadApp. 390 × 844. */
export const screens = [
  { name: 'home', path: '/', theme: 'light' },
  { name: 'player', path: '/videoplayer', theme: 'dark' },
  { name: 'posts', path: '/ShowPosts', theme: 'light' },
  { name: 'categories', path: '/Category#group-common', theme: 'dark' },
  { name: 'person', path: '/user/', theme: 'light' },
  { name: 'profile', path: '/UserProfile', theme: 'dark' },
  { name: 'upload', path: '/ReelPost', theme: 'light' },
  { name: 'earn', path: '/EarningInfo', theme: 'dark' },
] as const satisfies Screen[];
