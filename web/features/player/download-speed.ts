import { unmeasured } from './rendition.ts';

/** What a browser tells of its network, where it tells anything. */
interface Connection {
  saveData?: boolean;
  /** Megabits a second, rounded, never more than ten. */
  downlink?: number;
  effectiveType?: string;
}

/** The newest measurement counts this much. */
const weight = 0.4;
/** Below this a sample says more about the wait for the first byte than about the line. */
const leastBits = 400_000;
/** After the network could not keep up with what it was taken for. */
const afterStall = 0.6;

// For as long as the page lives: the next visit may be elsewhere.
let measured: number | undefined;

/** Bits a second to be reckoned with: nothing where bytes are dear, else as measured, else as the browser says. */
export function downloadSpeed(): number {
  const { connection } = navigator as { connection?: Connection };
  if (connection?.saveData) return 0;
  if (measured !== undefined) return measured;
  if (connection?.effectiveType?.endsWith('2g')) return 0;
  return connection?.downlink ? connection.downlink * 1e6 : unmeasured;
}

/** Takes note of so many bits that came in so many seconds; false where they are too few to tell. */
export function noteDownload(bits: number, seconds: number): boolean {
  if (bits < leastBits || !(seconds > 0)) return false;
  const speed = bits / seconds;
  measured = measured === undefined ? speed : measured + weight * (speed - measured);
  return true;
}

/** A video on the screen has run dry. */
export function noteStall(): void {
  measured = downloadSpeed() * afterStall;
}
