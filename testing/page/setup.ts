import { configure } from '@testing-library/react';

// As long as other waits of the tests (vitest.config.ts), since the machine may be busy.
configure({ asyncUtilTimeout: 30_000 });

/*
 * What jsdom leaves out, since it draws nothing: whatever is seen of these is for the browser's tests (e2e/). So is what a browser does with
 * a dialog: the focus in it, and the rest inert.
 */
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.releasePointerCapture = () => undefined;
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
URL.createObjectURL = () => 'blob:of-the-test';
URL.revokeObjectURL = () => undefined;
/** Nothing comes into view. */
window.IntersectionObserver = class {
  root = null;
  rootMargin = '';
  scrollMargin = '';
  thresholds = [];
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
  takeRecords = () => [];
};
