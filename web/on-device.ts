import type { MessageId } from './messages/catalogues.ts';

interface OnDevice {
  /** A name that ends in `…` is how several begin. */
  names: string[];
  what: MessageId;
  /** When it goes by itself. */
  until: MessageId;
}

/**
 * Everything that a browser keeps for the site: storage, caches and cookies. What keeps something new adds its name here;
 * the privacy page is made of it, and e2e/reading.test.ts fails where a name is missing.
 */
export const onDevice: OnDevice[] = [
  { names: ['user', 'authToken'], what: 'privacy.device.session', until: 'privacy.until.logout' },
  { names: ['theme'], what: 'privacy.device.theme', until: 'privacy.until.cleared' },
  { names: ['sound'], what: 'privacy.device.sound', until: 'privacy.until.cleared' },
  {
    names: ['captions', 'captions.language'],
    what: 'privacy.device.captions',
    until: 'privacy.until.cleared',
  },
  { names: ['playback'], what: 'privacy.device.playback', until: 'privacy.until.sent' },
  { names: ['jhalak.kept.…'], what: 'privacy.device.kept', until: 'privacy.until.cleared' },
  {
    names: ['congratulated'],
    what: 'privacy.device.congratulated',
    until: 'privacy.until.cleared',
  },
  { names: ['jhalak.draft.…'], what: 'privacy.device.draft', until: 'privacy.until.tab' },
  { names: ['react-router-scroll-positions'], what: 'privacy.device.scroll', until: 'privacy.until.tab' },
  { names: ['lang'], what: 'privacy.device.lang', until: 'privacy.until.year' },
  { names: ['upload.…'], what: 'privacy.device.upload', until: 'privacy.until.uploaded' },
  { names: ['jhalak-smaller-…'], what: 'privacy.device.smaller', until: 'privacy.until.uploaded' },
  { names: ['jhalak-shared-…'], what: 'privacy.device.shared', until: 'privacy.until.opened' },
  {
    names: ['jhalak-files-…', 'jhalak-offline-…'],
    what: 'privacy.device.files',
    until: 'privacy.until.newer',
  },
];
