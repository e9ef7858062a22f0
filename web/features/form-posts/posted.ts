import { useActionData } from 'react-router';

/** What the server answers to a form that was sent without a script: what was typed, but no password, and what is wrong with it. */
export interface PostedForm {
  values: Record<string, string>;
  errors: Record<string, { type: string; message: string }>;
}

/** What is known of the form as the page comes from the server; undefined where nothing was sent. */
export const usePosted = () => useActionData<PostedForm | undefined>();
