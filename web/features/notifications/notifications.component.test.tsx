import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';

it('/Activity asks a visitor to log in', async () => {
  const { asked } = answerCalls();
  await showPage({ page: () => import('#web/pages/activity.tsx'), address: '/Activity' });
  await screen.findByText('Log in to see who liked, commented and followed.');
  expect(asked).toEqual([]);
});
