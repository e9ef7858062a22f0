import { z } from 'zod';

/** A sentence of the server: in English, and as its code and values, from which other languages make it. */
export const sentence = z.object({
  error: z.string(),
  code: z.string(),
  /** The values of the sentence, and `what`, its name, if the code has several (`contract/sentences.ts`). */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Sentence = z.infer<typeof sentence>;

/** The body of every failed response (decisions §2). `error` and `message` are the same sentence. */
export const failure = sentence.extend({
  status: z.literal('error'),
  /** The success flag of some calls (specification §5, §8). */
  success: z.literal(false),
  message: z.string(),
  /** The field of the body that is wrong, if any. */
  field: z.string().optional(),
  /** All wrong fields with their first sentences, if there are several. */
  fields: z.array(sentence.extend({ field: z.string() })).optional(),
  requestId: z.string(),
});
export type Failure = z.infer<typeof failure>;
