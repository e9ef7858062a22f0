/**
 * The errno where the disk, and not the file that was read, is at fault that something could not be written; undefined
 * otherwise. The libraries tell it by its sentence only.
 */
export function diskFault(text: string): 'ENOSPC' | 'EROFS' | undefined {
  if (/ENOSPC|EDQUOT|No space left on device|quota exceeded/i.test(text)) return 'ENOSPC';
  if (/EROFS|Read-only file system/i.test(text)) return 'EROFS';
  return undefined;
}
