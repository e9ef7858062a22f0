import * as contract from '#contract/captions.ts';
import { call } from '#web/api.ts';
import type { PickedCaptions } from './captions-picker.tsx';
import type { CaptionTrack } from './tracks.ts';

/** Adds captions to a reel; returns all its captions. */
export async function setCaptions(id: string, { file, language }: PickedCaptions): Promise<CaptionTrack[]> {
  return (await call(contract.setCaptions, { params: { id, language } }, { file })).data;
}

/** Removes the captions of a language from a reel; returns the remaining ones. */
export async function removeCaptions(id: string, language: string): Promise<CaptionTrack[]> {
  return (await call(contract.removeCaptions, { params: { id, language } })).data;
}
