import { act, render, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

it('a notice whose script does not come is shown without it after two seconds', async () => {
  vi.resetModules();
  vi.doMock('./toaster.tsx', () => new Promise(() => undefined));
  const [{ Notices }, { notify }] = await Promise.all([import('./toast.tsx'), import('./notices.ts')]);
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.doUnmock('./toaster.tsx');
    vi.resetModules();
  });
  render(<Notices label="Notices" theme="light" />);
  act(() => notify('error', 'Delete failed!'));
  await act(() => vi.advanceTimersByTimeAsync(1999));
  expect(screen.queryByText('Delete failed!')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  screen.getByText('Delete failed!');
});
