import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createRoutesStub, Link, useSearchParams } from 'react-router';
import { expect, it, onTestFinished, vi } from 'vitest';
import { i18nOf, loadMessages } from '#web/messages/catalogues.ts';
import { TextProvider } from '#web/text.tsx';
import { SearchBox } from './search-box.tsx';

function Page() {
  const q = useSearchParams()[0].get('q') ?? '';
  return (
    <>
      <SearchBox q={q} path="/search" label="Search" hint="" />
      <Link to="/search?q=Cricket">Cricket</Link>
      <output>{q}</output>
    </>
  );
}

it('a link to another search is not undone by the text of the first one', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await loadMessages('en');
  const Stub = createRoutesStub([{ path: '/search', Component: Page }]);
  render(
    <TextProvider i18n={i18nOf('en')}>
      <Stub initialEntries={['/search?q=crick']} />
    </TextProvider>,
  );
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(screen.getByRole('link', { name: 'Cricket' }));
  await screen.findByRole('status');
  await vi.advanceTimersByTimeAsync(1000);
  expect(screen.getByRole('status').textContent).toBe('Cricket');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('Cricket');
});
