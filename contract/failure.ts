import { z } from 'zod';

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
  requestId: z.string(),
});
export type Failure = z.infer<typeof failure>;
