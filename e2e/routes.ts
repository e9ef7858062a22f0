export interface SiteRoute {
  path: string;
  /** The page depends on who is signed in: both are tested. */
  personal?: boolean;
  /** Its status; 200 if not given. */
  status?: number;
  /** No cache may keep it. */
  unstored?: boolean;
}

/** What pages are about: a person, a reel and a photo that they have published, a report and a decision. */
export interface Subjects {
  personId: string;
  reelId: string;
  photoId: string;
  reportNumber: string;
  /** A site for looking has none. */
  decisionId?: string;
}

/** Every page of the site. */
export const siteRoutes = ({
  personId,
  reelId,
  photoId,
  reportNumber,
  decisionId,
}: Subjects): SiteRoute[] => [
  { path: '/' },
  { path: '/?tab=forYou' },
  { path: '/?tab=following', personal: true },
  { path: '/videoplayer' },
  { path: '/Category' },
  { path: '/ShowPosts' },
  { path: '/AllUsers' },
  { path: '/AllUsers?q=nobody-is-called-so' },
  { path: '/search' },
  { path: '/search?q=nothing-is-called-so' },
  { path: '/tag/nobody-has-used-it', status: 404 },
  { path: `/user/${personId}` },
  { path: `/user/${personId}?tab=posts` },
  { path: '/user/nobody', status: 404 },
  { path: `/story/${personId}` },
  { path: '/story/nobody', status: 404 },
  { path: `/post/${photoId}` },
  { path: '/post/nothing', status: 404 },
  { path: `/report/${reportNumber}`, unstored: true },
  { path: '/report/nothing', status: 404 },
  ...(decisionId ? [{ path: `/report/${decisionId}`, unstored: true }] : []),
  { path: '/About' },
  { path: '/PrivacyPolicy' },
  { path: '/EarningInfo' },
  { path: '/EarningDashboard', personal: true },
  { path: '/EarningActivity', personal: true },
  { path: '/EarningHistory', personal: true },
  { path: `/EarningHistory/reel/${reelId}`, personal: true },
  { path: '/EarningHistory/2026-10/statement', personal: true },
  { path: '/EarningHistory/2026-13/statement', status: 404 },
  { path: '/DownloadApp' },
  { path: '/Contact', personal: true },
  { path: '/Feedback' },
  { path: '/LoginGoogle', personal: true },
  { path: '/LoginGoogle/return' },
  { path: '/LoginEmail', personal: true },
  { path: '/SignupForm', personal: true },
  { path: '/ForgotPassword', personal: true },
  { path: '/ResetPassword', personal: true },
  { path: '/VerifyEmail', personal: true },
  { path: '/PayoutDestination', personal: true },
  { path: '/Settings', personal: true },
  { path: '/UserProfile', personal: true },
  { path: `/DeleteUser/${personId}`, personal: true },
  { path: '/ReelPost', personal: true },
  { path: '/PhotoPost', personal: true },
  { path: '/StoryPost', personal: true },
  { path: '/ReelPostByLink', personal: true },
  { path: '/LinkDownloader', personal: true },
  { path: '/Console', personal: true, unstored: true },
  { path: '/Activity', personal: true },
  { path: '/nothing-is-here', status: 404 },
];
