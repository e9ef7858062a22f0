import type { MessageId } from '#web/messages/catalogues.ts';

export interface SiteLink {
  to: string;
  label: MessageId;
}

/** The header's links and its More menu, in the specification's order (§2 Header). */
export const mainLinks: SiteLink[] = [
  { to: '/DownloadApp', label: 'nav.downloadApp' },
  { to: '/ShowPosts', label: 'nav.posts' },
  { to: '/Category', label: 'nav.category' },
  { to: '/AllUsers', label: 'nav.allUsers' },
];

/** Additional links in the footer; those of the header are set by the specification. */
export const footerLinks: SiteLink[] = [{ to: '/LinkDownloader', label: 'downloader.title' }];

export const moreLinks: SiteLink[] = [
  { to: '/EarningInfo', label: 'nav.earningGuide' },
  { to: '/PrivacyPolicy', label: 'nav.privacy' },
  { to: '/Contact', label: 'nav.contact' },
  { to: '/Feedback', label: 'nav.feedback' },
  { to: '/About', label: 'nav.about' },
];
