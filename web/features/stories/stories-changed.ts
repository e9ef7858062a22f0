import { queryClient } from '#web/query-client.ts';

/** Loads what is shown of stories again, after one was published or deleted. */
export const storiesChanged = (): Promise<void> => queryClient().invalidateQueries({ queryKey: ['stories'] });
