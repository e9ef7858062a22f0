import { z } from 'zod';

/** Languages of the site and its mails. */
export const languages = ['en', 'hi'] as const;
export const language = z.enum(languages);
export type Language = z.output<typeof language>;
