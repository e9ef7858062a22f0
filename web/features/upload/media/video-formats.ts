import { MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from 'mediabunny';

/** Formats of one self-contained file. Playlists are left out because they refer to other files. */
export const oneFileFormats = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS];
