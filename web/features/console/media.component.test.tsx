import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listUnfinished, retryReel, showUnfinished, type UnfinishedReel } from '#contract/media.ts';
import { refusal } from '#testing/page/answers.ts';
import { idOf, openConsole, operatorsServer, press } from '#testing/page/console.ts';

const failed: UnfinishedReel = {
  ...{ _id: idOf(1), state: 'failed', userId: idOf(9), username: 'binod', caption: 'Boats', progress: null },
  failure: 'Processing failed on our side several times.',
  failureReason: { code: 'processing_failed', params: { what: 'ours' } },
  ...{ uploadedAt: '2026-11-10T06:00:00Z', canRetry: true },
};

describe('media', () => {
  it('that failed are processed again by a key with a reason; a refusal is said', async () => {
    const server = operatorsServer();
    server.on(listUnfinished, { data: [failed], nextCursor: null });
    server.on(showUnfinished, { data: { ...failed, history: [] } });
    const sentence = 'The file of this reel is no longer here. Its creator has to upload it again.';
    server.on(retryReel, refusal(409, 'not_retried', sentence), { data: { _id: failed._id } });
    const { user } = await openConsole(`?part=media&case=${failed._id}`);
    await screen.findByRole('button', { name: /^Process again/ });
    press('r');
    const dialog = await screen.findByRole('dialog', { name: 'Process again' });
    await user.type(within(dialog).getByLabelText(/^Reason/), 'The disk was full');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await within(dialog).findByText(sentence);
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(server.askedOf(retryReel)).toHaveLength(2));
    expect(server.askedOf(retryReel).at(-1)?.body).toEqual({ reason: 'The disk was full' });
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  });

  it('in processing say how far they are, and those without a file that they cannot be tried again', async () => {
    const server = operatorsServer();
    const queued: UnfinishedReel = {
      ...failed,
      ...{ state: 'processing', failure: null, failureReason: null, progress: 40, canRetry: false },
    };
    server.on(listUnfinished, { data: [queued], nextCursor: null });
    server.on(showUnfinished, { data: { ...failed, canRetry: false, history: [] } });
    await openConsole('?part=media&state=processing');
    await screen.findByText('40 % done');
    expect(server.askedOf(listUnfinished).at(-1)?.query).toEqual({ state: 'processing' });
    press('j');
    await screen.findByText(/^Its file was deleted/);
    expect(screen.queryByRole('button', { name: /^Process again/ })).toBeNull();
  });
});
