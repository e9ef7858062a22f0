export interface SiteRoute {
  path: string;
  /** What it shows depends on who is signed in: it is looked at both ways. */
  personal?: boolean;
  /** It answers with this status; 200 where none stands. */
  status?: number;
}

/** Every page of the site; `personId` is somebody who has published. */
export const siteRoutes = (personId: string): SiteRoute[] => [
  { path: '/' },
  { path: '/videoplayer' },
  { path: '/Category' },
  { path: '/ShowPosts' },
  { path: '/AllUsers' },
  { path: '/AllUsers?q=nobody-is-called-so' },
  { path: `/user/${personId}` },
  { path: `/user/${personId}?tab=posts` },
  { path: '/user/nobody', status: 404 },
  { path: '/About' },
  { path: '/PrivacyPolicy' },
  { path: '/EarningInfo' },
  { path: '/DownloadApp' },
  { path: '/Contact', personal: true },
  { path: '/Feedback' },
  { path: '/LoginGoogle', personal: true },
  { path: '/LoginEmail' },
  { path: '/SignupForm' },
  { path: '/UserProfile', personal: true },
  { path: '/ReelPost', personal: true },
  { path: '/Activity', personal: true },
  { path: '/nothing-is-here', status: 404 },
];
