import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { showPage } from '#testing/page/show-page.tsx';
import { Dialog } from './dialog.tsx';

function Two() {
  const [open, setOpen] = useState(['outer', 'inner']);
  const close = (name: string) => setOpen(open.filter((one) => one !== name));
  const dialogOf = (name: string, children: React.ReactNode) => (
    <Dialog open={open.includes(name)} title={name} closeLabel="Close" onClose={() => close(name)}>
      {children}
    </Dialog>
  );
  return dialogOf('outer', [<input key="file" type="file" aria-label="File" />, dialogOf('inner', null)]);
}

const show = () => showPage({ page: async () => ({ default: Two }), address: '/' });
const dialog = (name: string) => screen.queryByRole('dialog', { name });

it('Escape closes the dialog on top, and not the one around it', async () => {
  await show();
  fireEvent(dialog('inner') as Element, new Event('cancel', { cancelable: true }));
  expect([dialog('outer') !== null, dialog('inner')]).toEqual([true, null]);
  fireEvent(dialog('outer') as Element, new Event('cancel', { cancelable: true }));
  expect(dialog('outer')).toBeNull();
});

it('choosing no file closes nothing', async () => {
  await show();
  fireEvent(screen.getByLabelText('File'), new Event('cancel', { bubbles: true }));
  expect([dialog('outer') !== null, dialog('inner') !== null]).toEqual([true, true]);
});
