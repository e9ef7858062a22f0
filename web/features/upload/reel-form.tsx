import { useRef, useState } from 'react';
import { isApiError } from '../../../contract/api-error.ts';
import { limits } from '../../../contract/limits.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import type { SessionUser } from '../session/session.ts';
import { CategoryPicker } from './category-picker.tsx';
import { LeaveWarning } from './leave-warning.tsx';
import { Sending } from './sending.tsx';
import { usePick } from './use-pick.ts';
import { type Draft, type Sent, useSend } from './use-send.ts';
import { VideoPicker } from './video-picker.tsx';

const blank: Draft = { caption: '', creadit: '', category: [] };

/** A video, its words and up to three categories; cleared on success, kept on failure (specification §4, §5). */
export function ReelForm({ user, onSent }: { user: SessionUser; onSent: (sent: Sent) => void }) {
  const text = useText();
  const { send, progress, cancel } = useSend();
  const { picked, error, pick, clear, setError } = usePick();
  const [draft, setDraft] = useState(blank);
  const [failure, setFailure] = useState<string>();
  const typed = useRef(blank);
  const pickButton = useRef<HTMLButtonElement>(null);
  const publishButton = useRef<HTMLButtonElement>(null);
  const busy = progress !== undefined;

  function write(next: Draft) {
    typed.current = next;
    setDraft(next);
  }

  function refuse(message: string) {
    setError(message);
    pickButton.current?.focus();
  }

  async function submit() {
    if (busy) return;
    setFailure(undefined);
    if (!picked) return refuse(text('upload.missing'));
    // What is wrong with it is said beside it.
    if (await picked.objection) return pickButton.current?.focus();
    setError(undefined);
    try {
      const who = {
        ...(user._id ? { userId: user._id } : {}),
        ...(user.username ? { username: user.username } : {}),
      };
      const sent = await send(picked, () => typed.current, who);
      clear();
      write(blank);
      onSent(sent);
    } catch (reason) {
      if (isCancelled(reason)) return publishButton.current?.focus();
      if (!isApiError(reason)) return setFailure(text('upload.failed'));
      // A refusal has its reason; anything else has the specification's words.
      const refused = reason.status >= 400 && reason.status < 500;
      const message = refused ? text('upload.refused', { reason: reason.sentence }) : text('upload.failed');
      if (reason.field === 'file') refuse(message);
      else setFailure(message);
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      className="grid gap-8 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]"
    >
      <LeaveWarning active={busy || picked !== undefined || draft !== blank} />
      <VideoPicker
        picked={picked}
        onPick={(file) => void pick(file)}
        error={error}
        disabled={busy}
        button={pickButton}
      />
      <div className="grid content-start gap-5">
        <TextArea
          label={text('upload.caption')}
          optional={text('upload.optional')}
          maxLength={limits.caption}
          value={draft.caption}
          onChange={(event) => write({ ...draft, caption: event.target.value })}
        />
        <TextField
          label={text('upload.credit')}
          optional={text('upload.optional')}
          hint={text('upload.creditHint')}
          maxLength={limits.credit}
          value={draft.creadit}
          onChange={(event) => write({ ...draft, creadit: event.target.value })}
        />
        <CategoryPicker chosen={draft.category} onChange={(category) => write({ ...draft, category })} />
        {progress && <Sending progress={progress} onCancel={cancel} />}
        <FormError message={failure} />
        <Button ref={publishButton} type="submit" kind="primary" busy={busy} className="min-h-12">
          {text(busy ? 'upload.uploading' : 'upload.publish')}
        </Button>
      </div>
    </form>
  );
}

const isCancelled = (reason: unknown) =>
  (isApiError(reason) && reason.code === 'aborted') ||
  (reason instanceof DOMException && reason.name === 'AbortError');
