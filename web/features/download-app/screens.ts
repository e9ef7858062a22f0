import type { MessageId } from '../../messages/catalogues.ts';

export interface Screen {
  /** The picture in `web/public/screens/`; `node docs/screens.ts` renders all of them from the site itself. */
  file: string;
  caption: MessageId;
  /** What is shown in it, and how. */
  path: string;
  theme: 'light' | 'dark';
}

/** The 8 screenshots of specification §2, /DownloadApp. 390 × 844. */
export const screens: Screen[] = [
  { file: 'home.webp', caption: 'screens.home', path: '/', theme: 'light' },
  { file: 'player.webp', caption: 'screens.player', path: '/videoplayer', theme: 'dark' },
  { file: 'posts.webp', caption: 'screens.posts', path: '/ShowPosts', theme: 'light' },
  { file: 'categories.webp', caption: 'screens.categories', path: '/Category', theme: 'dark' },
  { file: 'person.webp', caption: 'screens.person', path: '/user/', theme: 'light' },
  { file: 'profile.webp', caption: 'screens.profile', path: '/UserProfile', theme: 'dark' },
  { file: 'upload.webp', caption: 'screens.upload', path: '/ReelPost', theme: 'light' },
  { file: 'earn.webp', caption: 'screens.earn', path: '/EarningInfo', theme: 'dark' },
];
