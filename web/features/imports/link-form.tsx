import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { limits } from '#contract/limits.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useDraft } from '../drafts/use-draft.ts';
import { type Fetched, useFetchLink } from './use-fetch-link.ts';

/** The form with the link, and a function that resets it. */
export function useLink() {
  const form = useForm({ defaultValues: { link: '' } });
  const draft = useDraft('link', form);
  const clear = () => {
    form.reset();
    draft.forget();
  };
  return { form, clear };
}

/** The field for a link, and the state of its import. */
export function LinkForm({
  form,
  fetched,
  onFetched,
  onBusy,
  disabled = false,
}: {
  form: ReturnType<typeof useLink>['form'];
  /** Whether the imported video is shown. */
  fetched: boolean;
  onFetched: (fetched: Fetched) => void;
  /** Called when an import begins and ends. */
  onBusy: (busy: boolean) => void;
  disabled?: boolean;
}) {
  const text = useText();
  const { fetchLink, busy, error, cancel } = useFetchLink(onFetched);
  useEffect(() => onBusy(busy), [busy, onBusy]);
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={async (event) => {
        event.preventDefault();
        if (disabled || busy) return;
        if (!(await fetchLink(form.getValues('link')))) form.setFocus('link');
      }}
    >
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <TextField
          label={text('link.label')}
          hint={text('link.hint', { minutes: limits.video.maxSeconds / 60 })}
          error={error}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.link}
          readOnly={busy}
          {...form.register('link')}
        />
        <Button type="submit" kind="primary" busy={busy} disabled={disabled} className="min-h-12 sm:mt-7.5">
          {text(busy ? 'link.fetching' : 'link.fetch')}
        </Button>
      </div>
      <p role="status" className={busy || fetched ? 'font-medium' : 'sr-only'}>
        {busy && <span className="text-soft">{text('link.wait')}</span>}
        {!busy && fetched && <span className="text-good">{text('link.fetched')}</span>}
      </p>
      {busy && (
        <Button onClick={cancel} className="w-fit">
          {text('upload.cancel')}
        </Button>
      )}
    </form>
  );
}
