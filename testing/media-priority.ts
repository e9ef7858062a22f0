import { setMediaPriority } from '#server/media/children.ts';

// Runs before each test file: media tasks that a test starts without a server must end in time, too, while other tests keep the machine busy.
setMediaPriority('normal');
