import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { enterOrder } from '#contract/cases.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { submitByKeys } from './submit-by-keys.ts';
import { targetOf } from './target-of.ts';
import { useAddress } from './use-address.ts';

interface Fields {
  authority: string;
  number: string;
  about: string;
  words: string;
}

/** Together within the longest text of an order. */
const most = { authority: 300, number: 100, words: 4500 };

/** A button for an order that came by letter or mail: it becomes a case with the deadline of orders, which opens. */
export function EnterOrder() {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text('console.act.order')}</Button>
      {isOpen && <OrderDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function OrderDialog({ onClose }: { onClose: () => void }) {
  const text = useText();
  const { go } = useAddress();
  const queries = useQueryClient();
  const form = useForm<Fields>({ defaultValues: { authority: '', number: '', about: '', words: '' } });
  const { errors, isSubmitting } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('authority'), [setFocus]);
  const required = { validate: (said: string) => said.trim() !== '' || text('console.reasonMissing') };
  const submit = form.handleSubmit(async ({ authority, number, about, words }) => {
    try {
      const said = `${authority.trim()}, ${number.trim()}\n\n${words.trim()}`;
      const { data } = await call(enterOrder, { body: { target: targetOf(about) ?? '', text: said } });
      onClose();
      go({ state: undefined, kind: undefined, language: undefined, case: data._id });
      void queries.invalidateQueries({ queryKey: ['console'] });
    } catch (error) {
      form.setError('root', { message: failureText(error, text) });
    }
  });
  return (
    <Dialog open onClose={onClose} title={text('console.act.order')} closeLabel={text('dialog.close')}>
      <form
        onSubmit={submit}
        noValidate
        className="grid gap-4"
        onKeyDown={submitByKeys(submit, isSubmitting)}
      >
        <p className="text-soft">{text('console.act.order.says')}</p>
        <FormError message={errors.root?.message} />
        <TextField
          label={text('console.order.authority')}
          maxLength={most.authority}
          error={errors.authority?.message}
          {...form.register('authority', required)}
        />
        <TextField
          label={text('console.order.number')}
          maxLength={most.number}
          error={errors.number?.message}
          {...form.register('number', required)}
        />
        <TextField
          label={text('console.order.about')}
          hint={text('console.order.aboutHint')}
          error={errors.about?.message}
          {...form.register('about', {
            validate: (entered) => targetOf(entered) !== undefined || text('console.order.aboutMissing'),
          })}
        />
        <TextArea
          label={text('console.order.words')}
          rows={3}
          maxLength={most.words}
          error={errors.words?.message}
          {...form.register('words', required)}
        />
        <Button type="submit" kind="primary" busy={isSubmitting}>
          {text('console.act.order')}
        </Button>
      </form>
    </Dialog>
  );
}
