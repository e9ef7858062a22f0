import { Ban } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { block } from '#contract/relations.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { useText } from '#web/text.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { notify } from '#web/ui/notices.ts';
import type { Controls } from '../interactions/controls.ts';
import { useSession } from '../session/use-session.ts';
import { FollowButton } from './follow-button.tsx';
import { sayFailed } from './responses.ts';

/** Follows a person from their profile, and blocks them. */
export const PersonActions: Controls['PersonActions'] = ({ person }) => {
  const text = useText();
  const { user } = useSession();
  const [asks, setAsks] = useState(false);
  const { username } = person;
  return (
    <>
      <FollowButton person={person} className="sm:mr-2" />
      {user && user._id !== person._id && (
        <IconButton
          label={text('onsite.block', { username })}
          onClick={() => setAsks(true)}
          className="order-last text-soft"
        >
          <Ban aria-hidden className="size-5" />
        </IconButton>
      )}
      {asks && <ConfirmBlock person={person} onClose={() => setAsks(false)} />}
    </>
  );
};

interface ConfirmBlockProps {
  person: { _id: string; username: string };
  onClose: () => void;
}

function ConfirmBlock({ person: { _id, username }, onClose }: ConfirmBlockProps) {
  const text = useText();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function send() {
    setBusy(true);
    try {
      await call(block, { params: { userId: _id } });
      notify('success', text('onsite.blocked', { username }));
      await navigate('/AllUsers');
      // Every list may have shown this person.
      await queryClient().invalidateQueries();
    } catch (error) {
      sayFailed('onsite.blockFailed', error);
      onClose();
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={text('onsite.block', { username })}
      closeLabel={text('dialog.close')}
    >
      <p className="mb-5 text-soft">{text('onsite.blockText')}</p>
      <div className="flex flex-wrap gap-3">
        <Button kind="danger" busy={busy} onClick={() => void send()}>
          {text('onsite.blockNow')}
        </Button>
        <Button onClick={onClose}>{text('onsite.cancel')}</Button>
      </div>
    </Dialog>
  );
}
