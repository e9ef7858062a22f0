import { type UseFormReturn, useWatch } from 'react-hook-form';
import { limits } from '#contract/limits.ts';
import { useText } from '#web/text.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { CategoryPicker } from './category-picker.tsx';
import type { Draft } from './use-send.ts';

export const blank: Draft = { caption: '', creadit: '', category: [] };

/** What goes with a video: its caption, whom it credits, up to three of the categories that are offered. */
export function ReelWords({
  form,
  offered,
}: {
  form: UseFormReturn<Draft>;
  /** Ids; all where none are named. */
  offered?: readonly string[];
}) {
  const text = useText();
  const chosen = useWatch({ control: form.control, name: 'category' });
  return (
    <>
      <TextArea
        label={text('upload.caption')}
        optional={text('upload.optional')}
        maxLength={limits.caption}
        {...form.register('caption')}
      />
      <TextField
        label={text('upload.credit')}
        optional={text('upload.optional')}
        hint={text('upload.creditHint')}
        maxLength={limits.credit}
        {...form.register('creadit')}
      />
      <CategoryPicker
        chosen={chosen}
        {...(offered ? { offered } : {})}
        onChange={(category) => form.setValue('category', category)}
      />
    </>
  );
}
