import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type CopyForReview, decideCopy, listCopies } from '#contract/copies.ts';
import { showCopy, showCopyPicture } from '#contract/copy-case.ts';
import { idOf, openConsole, operatorsServer } from '#testing/page/console.ts';

it('a work that looks like an earlier one is compared with that, both veiled, and decided with a reason', async () => {
  const at = `/api/operator/copies/picture/${idOf(1)}`;
  const copy: CopyForReview = {
    ...{ kind: 'post', _id: idOf(1), userId: idOf(5), username: 'binod', picture: `${at}/${idOf(1)}` },
    ...{ words: 'I took it myself.', waiting: true, verdict: null, reason: null },
    of: {
      ...{ kind: 'post', _id: idOf(2), userId: idOf(6), username: 'asha', picture: `${at}/${idOf(2)}` },
      ...{ publishedAt: '2026-11-01T06:00:00Z', deletedAt: null },
    },
    ...{ askedAt: '2026-11-10T06:00:00Z', decidedAt: null },
  };
  const server = operatorsServer();
  server.on(listCopies, { data: [copy], nextCursor: null });
  server.on(showCopy, { data: { ...copy, history: [] } });
  server.on(showCopyPicture, new Response('a picture'));
  server.on(decideCopy, { data: { ...copy, verdict: 'own' } });
  const { user } = await openConsole('?part=copies');
  await user.click(await screen.findByRole('link', { name: /@binod/ }));
  await waitFor(() => expect(screen.getAllByAltText('The reported picture, blurred')).toHaveLength(2));
  expect(server.askedOf(showCopyPicture).map(({ path }) => path)).toEqual([copy.picture, copy.of.picture]);
  await user.click(screen.getByRole('button', { name: /^Show the picture/ }));
  expect(screen.getAllByAltText('The reported picture')).toHaveLength(2);
  screen.getByText('I took it myself.', { selector: 'dd' });
  await user.click(screen.getByRole('button', { name: /^It is no copy/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'It is no copy' }));
  dialog.getByText(/^Everybody sees it/);
  await user.type(dialog.getByLabelText(/^Reason/), 'Another boat{Control>}{Enter}{/Control}');
  await waitFor(() =>
    expect(server.askedOf(decideCopy).at(-1)?.body).toEqual({ verdict: 'own', reason: 'Another boat' }),
  );
});
