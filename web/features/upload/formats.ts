import { MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from 'mediabunny';

/** Only what is one file in itself: no playlist, which names others. */
export const oneFileFormats = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS];
