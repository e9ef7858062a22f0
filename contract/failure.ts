import { z } from 'zod';

const params = z.record(z.string(), z.union([z.string(), z.number()])).optional();

/** The body of every failed response (decisions §2). `error` and `message` are the same sentence. */
export const failure = z.object({
  status: z.literal('error'),
  /** The success flag of some calls (specification §5, §8). */
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  /** The field of the body that is wrong, if any. */
  field: z.string().optional(),
  /**
   * Parameters for translating the sentence: `what`, if the code has several sentences, and their values
   * (`contract/sentences.ts`). Absent if only `error` can be shown.
   */
  params,
  /** All wrong fields with their first sentences, if there are several. */
  fields: z.array(z.object({ field: z.string(), error: z.string(), code: z.string(), params })).optional(),
  requestId: z.string(),
});
export type Failure = z.infer<typeof failure>;
