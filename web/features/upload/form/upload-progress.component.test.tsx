import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { showPage } from '#testing/page/show-page.tsx';
import { UploadProgress } from './upload-progress.tsx';
import type { TransferProgress } from './use-transfer.ts';

const megabyte = 1024 * 1024;
const begun: TransferProgress = {
  ...{ sent: 0, total: 8 * megabyte, speed: 0, paused: false, waiting: false, queued: false },
  ...{ compressing: undefined, compressed: 0, publishing: false },
};

/** Shows the progress of an upload, and the next one when told. */
async function show() {
  let go: (progress: TransferProgress) => void = () => undefined;
  function Page() {
    const [progress, setProgress] = useState(begun);
    go = setProgress;
    const nothing = () => undefined;
    const control = { progress, cancel: nothing, pause: nothing, resume: nothing, sendAsIs: nothing };
    return <UploadProgress progress={progress} control={control} checking="upload.checking" />;
  }
  await showPage({ page: async () => ({ default: Page }), address: '/ReelPost' });
  return (progress: Partial<TransferProgress>) => {
    act(() => go({ ...begun, ...progress }));
    const bars = screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-valuenow'));
    const words = [...document.querySelectorAll('main p')].map((one) => one.textContent).filter(Boolean);
    return { bars, words };
  };
}

it('has one bar from compressing to the last byte, which never runs back, and one sentence at a time', async () => {
  const at = await show();
  const [sent, total] = [megabyte, 4 * megabyte];
  expect(at({ compressing: 0.5, compressed: 0.5 })).toEqual({
    bars: ['25'],
    words: ['Making the file smaller'],
  });
  expect(at({ compressed: 1 }).bars).toEqual(['50']);
  expect(at({ compressed: 1, sent, total, speed: megabyte })).toEqual({
    bars: ['62'],
    words: ['1 of 4 MB · 1 MB/s, 3 seconds left'],
  });
  expect(at({ compressed: 1, sent, total, paused: true })).toEqual({
    bars: ['62'],
    words: ['Paused. It will continue where it stopped.'],
  });
  expect(at({ compressed: 1, sent: total, total, publishing: true })).toEqual({
    bars: [null],
    words: ['Uploaded. Checking it now; keep this page open.'],
  });
});

it('goes on where compressing was given up for the original', async () => {
  const at = await show();
  expect(at({ compressing: 0.2, compressed: 0.2 }).bars).toEqual(['10']);
  expect(at({ compressed: 0.2 }).bars).toEqual(['10']);
  expect(at({ compressed: 0.2, sent: 4 * megabyte }).bars).toEqual(['55']);
});

it('is all of sending where nothing is compressed', async () => {
  const at = await show();
  expect(at({ sent: 2 * megabyte }).bars).toEqual(['25']);
});
