import type { UseFormReturn } from 'react-hook-form';
import { limits } from '#contract/limits.ts';
import { Suggested } from '#web/features/suggestions/suggested.tsx';
import { useText } from '#web/text.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';

export interface PostDraft {
  caption: string;
  description: string;
}

/** The fields of a photo: caption and description. */
export function PostFields({ form }: { form: UseFormReturn<PostDraft> }) {
  const text = useText();
  const { errors } = form.formState;
  return (
    <>
      <Suggested>
        <TextField
          label={text('upload.caption')}
          optional={text('upload.optional')}
          error={errors.caption?.message}
          maxLength={limits.caption}
          {...form.register('caption')}
        />
      </Suggested>
      <Suggested>
        <TextArea
          label={text('upload.description')}
          optional={text('upload.optional')}
          error={errors.description?.message}
          maxLength={limits.description}
          {...form.register('description')}
        />
      </Suggested>
    </>
  );
}
