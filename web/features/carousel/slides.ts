import { categories } from '#contract/categories.ts';
import type { RateTable } from '#contract/rates.ts';
import type { MessageId } from '#web/messages/catalogues.ts';

export interface BannerSlide {
  title: MessageId;
  text: MessageId;
  /** Figures in its words. */
  values?: (rates: RateTable) => Record<string, number>;
  /** Where it leads, and in what words. */
  to: string;
  action: MessageId;
  /** Drawn by the project; the words beside it say what it says. 480 × 320. */
  picture: string;
}

/** Home's banner: 5 slides (specification §2, §9). */
export const slides: BannerSlide[] = [
  {
    title: 'banner.glimpse.title',
    text: 'banner.glimpse.text',
    to: '/videoplayer',
    action: 'banner.glimpse.action',
    picture: '/slides/glimpse.svg',
  },
  {
    title: 'banner.earn.title',
    text: 'banner.earn.text',
    to: '/EarningInfo',
    action: 'banner.earn.action',
    picture: '/slides/earn.svg',
  },
  {
    title: 'banner.categories.title',
    text: 'banner.categories.text',
    values: () => ({ count: categories.length }),
    to: '/Category',
    action: 'banner.categories.action',
    picture: '/slides/categories.svg',
  },
  {
    title: 'banner.withdraw.title',
    text: 'banner.withdraw.text',
    values: ({ minimumWithdrawalPaise }) => ({ least: minimumWithdrawalPaise / 100 }),
    to: '/EarningInfo',
    action: 'banner.withdraw.action',
    picture: '/slides/withdraw.svg',
  },
  {
    title: 'banner.app.title',
    text: 'banner.app.text',
    to: '/DownloadApp',
    action: 'banner.app.action',
    picture: '/slides/app.svg',
  },
];
