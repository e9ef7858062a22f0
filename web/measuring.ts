/** Whether the browser asks sites not to measure: Do Not Track, or Global Privacy Control. */
export function asksNotToBeMeasured(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
