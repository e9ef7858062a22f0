/** Whether the browser asks sites not to track the visitor, by Do Not Track or Global Privacy Control. */
export function optsOutOfTracking(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
