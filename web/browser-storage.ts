import type { MessageId } from './messages/catalogues.ts';

interface StorageEntry {
  /** Names of the entries; one that ends in `…` is a prefix. */
  names: string[];
  label: MessageId;
  /** When the entry is removed without the visitor doing anything. */
  removedWhen: MessageId;
}

/**
 * Everything that the site stores in the browser: local and session storage, caches and cookies. The privacy page is made
 * from this list. Code that stores something new adds its name here; e2e/reading.test.ts fails if a name is missing.
 */
export const browserStorage: StorageEntry[] = [
  {
    names: ['user', 'authToken'],
    label: 'privacy.device.session',
    removedWhen: 'privacy.until.logout',
  },
  { names: ['leftBy'], label: 'privacy.device.leftBy', removedWhen: 'privacy.until.login' },
  { names: ['push.…'], label: 'privacy.device.push', removedWhen: 'privacy.until.logout' },
  { names: ['theme'], label: 'privacy.device.theme', removedWhen: 'privacy.until.cleared' },
  { names: ['sound'], label: 'privacy.device.sound', removedWhen: 'privacy.until.cleared' },
  {
    names: ['captions', 'captions.language'],
    label: 'privacy.device.captions',
    removedWhen: 'privacy.until.cleared',
  },
  { names: ['viewer'], label: 'privacy.device.viewer', removedWhen: 'privacy.until.cleared' },
  { names: ['playback'], label: 'privacy.device.playback', removedWhen: 'privacy.until.sent' },
  { names: ['jhalak.kept.…'], label: 'privacy.device.kept', removedWhen: 'privacy.until.logoutOrCleared' },
  {
    names: ['congratulated'],
    label: 'privacy.device.congratulated',
    removedWhen: 'privacy.until.logout',
  },
  { names: ['jhalak.draft.…'], label: 'privacy.device.draft', removedWhen: 'privacy.until.tabOrLogout' },
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
  { names: ['upload.…'], label: 'privacy.device.upload', removedWhen: 'privacy.until.uploaded' },
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
