import { unmeasured } from './rendition.ts';

/** The Network Information API, which not every browser has. */
interface Connection {
  saveData?: boolean;
  /** Megabits per second, rounded, at most ten. */
  downlink?: number;
  effectiveType?: string;
}

/** The weight of the newest measurement in the moving harmonic average. */
const weight = 0.4;
/** A smaller sample measures latency rather than bandwidth. */
const minSampleBits = 400_000;
/** The estimate is multiplied by this when a video stalls. */
const afterStall = 0.6;

// The estimate is not stored, because the next visit may use another network.
let measured: number | undefined;

/** The expected bits per second: 0 if the browser saves data, otherwise as measured, otherwise as the browser reports. */
export function downloadSpeed(): number {
  const { connection } = navigator as { connection?: Connection };
  if (connection?.saveData) return 0;
  if (measured !== undefined) return measured;
  if (connection?.effectiveType?.endsWith('2g')) return 0;
  return connection?.downlink ? connection.downlink * 1e6 : unmeasured;
}

/**
 * Adds a measurement to the average; false if the sample is too small. The average is of seconds per bit: after a fast network, two
 * videos suffice to detect a slow one, however fast the other was.
 */
export function noteDownload(bits: number, seconds: number): boolean {
  if (bits < minSampleBits || !(seconds > 0)) return false;
  const took = seconds / bits;
  measured = 1 / (measured === undefined ? took : weight * took + (1 - weight) / measured);
  return true;
}

/** Lowers the estimate because the current video stalled. */
export function noteStall(): void {
  measured = downloadSpeed() * afterStall;
}
