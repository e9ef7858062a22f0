import type { Language } from '#contract/languages.ts';
import { personalPages } from '#contract/notification-pages.ts';
import type { NotificationKind, PersonalKind } from '#contract/notifications.ts';
import { groupOf } from '#contract/push-groups.ts';
import { isolated } from '#contract/text-direction.ts';

interface Words {
  title: string;
  /**
   * Texts by kind; other kinds are about the account, and a locked screen shows no details of them. Never an amount.
   */
  sentences: Partial<Record<NotificationKind, (username: string) => string>>;
  account: string;
  many: (count: number) => string;
}

const words: Record<Language, Words> = {
  en: {
    title: 'Jhalak',
    sentences: {
      like_reel: (name) => `${name} liked your reel`,
      like_post: (name) => `${name} liked your photo`,
      comment: (name) => `${name} commented on your reel`,
      mention: (name) => `${name} mentioned you in a comment`,
      follow: (name) => `${name} started following you`,
      new_reel: (name) => `${name} published a new reel`,
      new_post: (name) => `${name} published a new photo`,
      new_story: (name) => `${name} published a new story`,
    },
    account: 'There is news about your account. Open Jhalak to read it.',
    many: (count) => `You have ${count} new notifications`,
  },
  hi: {
    title: 'झलक',
    sentences: {
      like_reel: (name) => `${name} ने आपकी रील लाइक की`,
      like_post: (name) => `${name} ने आपकी फ़ोटो लाइक की`,
      comment: (name) => `${name} ने आपकी रील पर कमेंट किया`,
      mention: (name) => `${name} ने एक कमेंट में आपका नाम लिखा`,
      follow: (name) => `${name} आपको फ़ॉलो करने लगे`,
      new_reel: (name) => `${name} ने नई रील डाली`,
      new_post: (name) => `${name} ने नई फ़ोटो डाली`,
      new_story: (name) => `${name} ने नई स्टोरी डाली`,
    },
    account: 'आपके खाते के बारे में एक सूचना है। पढ़ने के लिए झलक खोलें।',
    many: (count) => `आपके लिए ${count} नई सूचनाएँ हैं`,
  },
};

interface Notified {
  kind: NotificationKind;
  username: string | null;
  sender_id: string | null;
  about_id: string | null;
  comment_id: string | null;
}

/** The text of one notification, or of several at once. */
export function composePush(notifications: readonly Notified[], lang: Language) {
  const { title, sentences, account, many } = words[lang];
  // Account news is always mentioned, however many other notifications there are.
  const first = notifications.find(({ kind }) => groupOf(kind) === 'account') ?? notifications[0];
  const sentence = first && sentences[first.kind];
  const single = sentence && first.username ? sentence(isolated(first.username)) : account;
  const body = notifications.length > 1 && sentence ? many(notifications.length) : single;
  const isSingle = notifications.length === 1 && first !== undefined;
  const url = (isSingle && pageOf(first)) || '/Activity';
  return { title, body, url, lang };
}

/** The page that one notification from a person opens. What the site has to say is read in the list. */
function pageOf({ kind, sender_id, about_id, comment_id }: Notified): string | undefined {
  if (!isPersonal(kind) || !sender_id) return undefined;
  return personalPages[kind]({ senderId: sender_id, aboutId: about_id, commentId: comment_id });
}

const isPersonal = (kind: NotificationKind): kind is PersonalKind => Object.hasOwn(personalPages, kind);
