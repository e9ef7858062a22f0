import { consoleKeys } from './features/console/storage-keys.ts';
import type { MessageId } from './messages/catalogues.ts';
import { storageKeys } from './storage-keys.ts';

interface StorageEntry {
  /** Names of the entries; one that ends in `…` is a prefix. */
  names: string[];
  label: MessageId;
  /** When the entry is removed without the visitor doing anything. */
  removedWhen: MessageId;
}

/**
 * Everything that the site stores in the browser: local and session storage, caches and cookies. The privacy page is made
 * from this list. Names of local and session storage are those of storage-keys.ts; browser-storage.test.ts fails if one is missing.
 */
export const browserStorage: StorageEntry[] = [
  {
    names: [storageKeys.user, storageKeys.token],
    label: 'privacy.device.session',
    removedWhen: 'privacy.until.logout',
  },
  { names: [storageKeys.leftBy], label: 'privacy.device.leftBy', removedWhen: 'privacy.until.login' },
  { names: ['push.…'], label: 'privacy.device.push', removedWhen: 'privacy.until.logout' },
  { names: [storageKeys.theme], label: 'privacy.device.theme', removedWhen: 'privacy.until.cleared' },
  { names: [storageKeys.sound], label: 'privacy.device.sound', removedWhen: 'privacy.until.cleared' },
  { names: [storageKeys.autoplay], label: 'privacy.device.autoplay', removedWhen: 'privacy.until.cleared' },
  {
    names: [storageKeys.captions, storageKeys.captionLanguage],
    label: 'privacy.device.captions',
    removedWhen: 'privacy.until.cleared',
  },
  { names: [storageKeys.viewer], label: 'privacy.device.viewer', removedWhen: 'privacy.until.cleared' },
  { names: [storageKeys.playback], label: 'privacy.device.playback', removedWhen: 'privacy.until.sent' },
  {
    names: [storageKeys.storiesSeen],
    label: 'privacy.device.storiesSeen',
    removedWhen: 'privacy.until.cleared',
  },
  {
    names: [storageKeys.lastVisit],
    label: 'privacy.device.lastVisit',
    removedWhen: 'privacy.until.cleared',
  },
  {
    names: [storageKeys.reelsSeen],
    label: 'privacy.device.reelsSeen',
    removedWhen: 'privacy.until.logoutOrCleared',
  },
  { names: [storageKeys.homeTab], label: 'privacy.device.homeTab', removedWhen: 'privacy.until.cleared' },
  {
    names: [storageKeys.muted],
    label: 'privacy.device.muted',
    removedWhen: 'privacy.until.logoutOrCleared',
  },
  {
    names: [consoleKeys.lettersOff],
    label: 'privacy.device.lettersOff',
    removedWhen: 'privacy.until.cleared',
  },
  { names: [storageKeys.visit], label: 'privacy.device.visit', removedWhen: 'privacy.until.tabOrLogout' },
  {
    names: [`${storageKeys.lists}…`],
    label: 'privacy.device.kept',
    removedWhen: 'privacy.until.logoutOrCleared',
  },
  {
    names: [storageKeys.congratulated],
    label: 'privacy.device.congratulated',
    removedWhen: 'privacy.until.logout',
  },
  {
    names: [`${storageKeys.drafts}…`],
    label: 'privacy.device.draft',
    removedWhen: 'privacy.until.tabOrLogout',
  },
  { names: [storageKeys.renewed], label: 'privacy.device.renewed', removedWhen: 'privacy.until.tab' },
  {
    names: ['react-router-scroll-positions'],
    label: 'privacy.device.scroll',
    removedWhen: 'privacy.until.tab',
  },
  { names: ['lang'], label: 'privacy.device.lang', removedWhen: 'privacy.until.year' },
  {
    names: ['device'],
    label: 'privacy.device.knownDevice',
    removedWhen: 'privacy.until.yearOrPassword',
  },
  {
    names: [`${storageKeys.uploads}…`],
    label: 'privacy.device.upload',
    removedWhen: 'privacy.until.uploaded',
  },
  {
    names: ['jhalak-smaller-…'],
    label: 'privacy.device.smaller',
    removedWhen: 'privacy.until.uploaded',
  },
  { names: ['jhalak-shared-…'], label: 'privacy.device.shared', removedWhen: 'privacy.until.opened' },
  {
    names: ['jhalak-files-…', 'jhalak-offline-…'],
    label: 'privacy.device.files',
    removedWhen: 'privacy.until.newer',
  },
];
