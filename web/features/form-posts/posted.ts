import { useActionData } from 'react-router';

/** The server's response to a form sent without a script: the typed values, except passwords, and the errors. */
export interface PostedForm {
  values: Record<string, string>;
  errors: Record<string, { type: string; message: string }>;
}

/** The form as it was sent without a script; undefined if none was sent. */
export const usePosted = () => useActionData<PostedForm | undefined>();
