import { type UseFormReturn, useWatch } from 'react-hook-form';
import { limits } from '#contract/limits.ts';
import { Suggested } from '#web/features/suggestions/suggested.tsx';
import { useText } from '#web/text.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { CategoryPicker } from './category-picker.tsx';
import type { ReelDraft } from './use-send-reel.ts';

export const emptyReelDraft: ReelDraft = { caption: '', creadit: '', category: [] };

/** The fields of a reel: caption, credit, and up to three categories. */
export function ReelFields({
  form,
  offered,
}: {
  form: UseFormReturn<ReelDraft>;
  /** The category ids to choose from; all categories if undefined. */
  offered?: readonly string[];
}) {
  const text = useText();
  const { errors } = form.formState;
  const chosen = useWatch({ control: form.control, name: 'category' });
  return (
    <>
      <Suggested>
        <TextArea
          label={text('upload.caption')}
          optional={text('upload.optional')}
          error={errors.caption?.message}
          maxLength={limits.caption}
          {...form.register('caption')}
        />
      </Suggested>
      <TextField
        label={text('upload.credit')}
        optional={text('upload.optional')}
        hint={text('upload.creditHint')}
        error={errors.creadit?.message}
        maxLength={limits.credit}
        {...form.register('creadit')}
      />
      <CategoryPicker
        chosen={chosen}
        {...(offered ? { offered } : {})}
        error={errors.category?.message}
        onChange={(category) => form.setValue('category', category)}
      />
    </>
  );
}
