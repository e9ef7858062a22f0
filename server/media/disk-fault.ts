/**
 * The errno if writing failed because of the disk and not because of the file that was read; undefined otherwise. The
 * libraries report it only in the message.
 */
export function diskFault(text: string): 'ENOSPC' | 'EROFS' | undefined {
  if (/ENOSPC|EDQUOT|No space left on device|quota exceeded/i.test(text)) return 'ENOSPC';
  if (/EROFS|Read-only file system/i.test(text)) return 'EROFS';
  return undefined;
}
