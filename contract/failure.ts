import { z } from 'zod';

const params = z.record(z.string(), z.union([z.string(), z.number()])).optional();

/** What every failed call answers (decisions §2). `error` and `message` hold the same sentence. */
export const failure = z.object({
  status: z.literal('error'),
  /** Beside the success flag of the calls that have one (specification §5, §8). */
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  /** The field of the body the sentence is about, where there is one. */
  field: z.string().optional(),
  /**
   * What `code` leaves open, so that a client can say the same in another language: `what`, where a code has several
   * sentences, and the values in them (`contract/sentences.ts`). Absent where there is only `error` to show.
   */
  params,
  /** Every field of the body that is wrong, each with its first sentence, where there is more than one. */
  fields: z.array(z.object({ field: z.string(), error: z.string(), code: z.string(), params })).optional(),
  requestId: z.string(),
});
export type Failure = z.infer<typeof failure>;
