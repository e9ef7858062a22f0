import type { HistoryRecord, Withdrawal } from '#contract/earnings.ts';
import type { Notification } from '#contract/notifications.ts';
import type { Person, Self } from '#contract/people.ts';
import type { Post } from '#contract/posts.ts';
import type { Reel } from '#contract/reels.ts';
import type { Story } from '#contract/stories.ts';

/* What the server may answer, by the contract: each with a few of its values, the others usual. */

const createdAt = '2026-11-03T06:30:00Z';
const idOf = (kind: string, nth: number) => `018f0000-0000-7000-${kind}-${String(nth).padStart(12, '0')}`;

export const person = (nth: number, more: Partial<Person> = {}): Person => ({
  _id: idOf('8000', nth),
  name: `Person ${nth}`,
  username: `person${nth}`,
  profilePic: '',
  followers: [],
  following: [],
  followerCount: 0,
  followingCount: 0,
  reelCount: 0,
  postCount: 0,
  createdAt,
  ...more,
});

export const zoya: Self = {
  ...person(1, { name: 'Zoya', username: 'zoya' }),
  email: 'zoya@people.example',
  emailVerified: true,
};

const notTakenDown = { duplicate: false, takenDown: null, createdAt };

export const reel = (nth: number, caption: string, more: Partial<Reel> = {}): Reel => ({
  _id: idOf('8001', nth),
  userId: zoya._id,
  username: 'zoya',
  userProfilePic: '',
  caption,
  creadit: '',
  source: '',
  videourl: '/media/r/video.mp4',
  videoKey: 'r',
  thumbnillurl: '/media/r/thumbnail.jpg',
  posterurl: '/media/r/poster.webp',
  tileurl: '/media/r/tile.webp',
  placeholder: '',
  width: 270,
  height: 480,
  duration: 2,
  renditions: [{ width: 270, height: 480, bitrate: 100_000, url: '/media/r/video.mp4' }],
  captionTracks: [],
  category: [],
  views: 0,
  likes: [],
  likeCount: 0,
  comments: [],
  commentCount: 0,
  shareviews: 0,
  state: 'ready',
  failure: null,
  ...notTakenDown,
  ...more,
});

const picture = {
  userId: zoya._id,
  username: 'zoya',
  profilePic: '',
  imageurl: '/media/p/photo.jpg',
  fileName: 'p',
  renditions: [{ url: '/media/p/640.webp', width: 640 }],
  placeholder: '',
  width: 640,
  height: 800,
};

export const post = (nth: number, caption: string, more: Partial<Post> = {}): Post => ({
  _id: idOf('8002', nth),
  ...picture,
  caption,
  description: '',
  likes: [],
  likeCount: 0,
  ...notTakenDown,
  ...more,
});

export const story = (nth: number, statustext: string, more: Partial<Story> = {}): Story => ({
  _id: idOf('8003', nth),
  ...picture,
  statustext,
  type: 'image',
  finish: 0,
  ...notTakenDown,
  ...more,
});

export const follow = (nth: number, username: string, more: Partial<Notification> = {}): Notification => ({
  _id: idOf('8004', nth),
  kind: 'follow',
  title: `${username} started following you`,
  username,
  senderId: idOf('8000', nth),
  profileImage: '',
  aboutId: null,
  about: null,
  comment: '',
  commentId: null,
  read: true,
  createdAt,
  ...more,
});

/** A month of the earning history with reels alone. */
export const month = (monthKey: string, reels: number, more: Partial<HistoryRecord> = {}): HistoryRecord => {
  const coins = reels * 5;
  const paise = Math.floor(coins / 5);
  const rupees = (paise / 100).toFixed(2);
  return {
    userId: zoya._id,
    month: monthKey,
    monthKey,
    reels,
    posts: 0,
    stories: 0,
    views: 0,
    likes: 0,
    waitingViews: 0,
    decisions: [],
    missingCoins: 0,
    totalCoins: coins,
    paise,
    rupees,
    state: 'withdrawable',
    counted: true,
    withdrawable: true,
    payablePaise: paise,
    payableRupees: rupees,
    carries: [],
    carriedBy: null,
    rejection: null,
    ...more,
  };
};

/** A withdrawal of a rupee that waits for an operator. */
export const withdrawal = (monthKey: string, more: Partial<Withdrawal> = {}): Withdrawal => ({
  _id: idOf('8005', Number(monthKey.replace('-', ''))),
  userId: zoya._id,
  month: monthKey,
  monthLabel: monthKey,
  coins: 500,
  carried: [],
  paise: 100,
  rupees: '1.00',
  totalRupee: '1.00',
  status: 'pending',
  payout: 'in_review',
  steps: [],
  reference: null,
  reason: null,
  createdAt,
  readyAt: createdAt,
  decidedAt: null,
  ...more,
});
