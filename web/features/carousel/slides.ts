import { categories } from '#contract/categories.ts';
import type { rates } from '#contract/earning-rules.ts';
import type { MessageId } from '#web/messages/catalogues.ts';

export interface BannerSlide {
  title: MessageId;
  text: MessageId;
  /** Figures in the text. */
  values?: (of: typeof rates) => Record<string, number>;
  /** Target and label of the link. */
  to: string;
  action: MessageId;
  /** Decorative picture of 480 × 320; the text beside it has the same meaning. */
  picture: string;
}

/** The five slides of Home's banner (specification §2, §9). */
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
