import type { useText } from '#web/text.tsx';

/** Decimal units, as disks and clouds are sold. */
export function bytesAsText(bytes: number, text: ReturnType<typeof useText>): string {
  const units = ['MB', 'GB', 'TB'] as const;
  const place = bytes < 1e9 ? 0 : bytes < 1e12 ? 1 : 2;
  return text('console.bytes', { size: bytes / 10 ** (6 + 3 * place), unit: units[place] });
}
