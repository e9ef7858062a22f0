import { useCallback, useState } from 'react';
import { isApiError } from '../../../contract/api-error.ts';
import { limits } from '../../../contract/limits.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { FormError } from '../session/account-panel.tsx';
import type { SessionUser } from '../session/session.ts';
import { CategoryPicker } from './category-picker.tsx';
import { objectionTo } from './check-video.ts';
import { Sending } from './sending.tsx';
import { useLeaveWarning } from './use-leave-warning.ts';
import { type Draft, type Sent, useSend } from './use-send.ts';
import { VideoPicker } from './video-picker.tsx';

const blank: Draft = { caption: '', creadit: '', category: [] };

/** A video, its words and up to three categories; cleared on success, kept on failure (specification §4, §5). */
export function ReelForm({ user, onSent }: { user: SessionUser; onSent: (sent: Sent) => void }) {
  const text = useText();
  const { send, progress, cancel } = useSend();
  const [file, setFile] = useState<File>();
  const [draft, setDraft] = useState(blank);
  const [videoError, setVideoError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const busy = progress !== undefined;
  useLeaveWarning(busy, text('upload.leave'));

  const pick = useCallback(
    (picked: File) => {
      const objection = objectionTo(picked);
      setVideoError(objection && text(objection));
      if (!objection) setFile(picked);
    },
    [text],
  );

  async function submit() {
    if (busy) return;
    setFailure(undefined);
    if (!file) {
      setVideoError(text('upload.missing'));
      return;
    }
    try {
      const who = {
        ...(user._id ? { userId: user._id } : {}),
        ...(user.username ? { username: user.username } : {}),
      };
      const sent = await send(file, draft, who);
      setFile(undefined);
      setDraft(blank);
      onSent(sent);
    } catch (error) {
      if (isApiError(error) && error.code === 'aborted') return;
      if (error instanceof DOMException && error.name === 'AbortError') return;
      // A refusal has its reason; anything else has the specification's words.
      if (isApiError(error) && error.field === 'file') setVideoError(error.sentence);
      setFailure(
        isApiError(error) && error.status >= 400 && error.status < 500
          ? text('upload.refused', { reason: error.sentence })
          : text('upload.failed'),
      );
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
      <VideoPicker file={file} onPick={pick} error={videoError} disabled={busy} />
      <div className="grid content-start gap-5">
        <FormError message={failure} />
        <TextArea
          label={text('upload.caption')}
          optional={text('upload.optional')}
          maxLength={limits.caption}
          value={draft.caption}
          onChange={(event) => setDraft({ ...draft, caption: event.target.value })}
        />
        <TextField
          label={text('upload.credit')}
          optional={text('upload.optional')}
          hint={text('upload.creditHint')}
          maxLength={limits.credit}
          value={draft.creadit}
          onChange={(event) => setDraft({ ...draft, creadit: event.target.value })}
        />
        <CategoryPicker chosen={draft.category} onChange={(category) => setDraft({ ...draft, category })} />
        {progress && <Sending progress={progress} onCancel={cancel} />}
        <Button type="submit" kind="primary" busy={busy} className="min-h-12">
          {text(busy ? 'upload.uploading' : 'upload.publish')}
        </Button>
      </div>
    </form>
  );
}
