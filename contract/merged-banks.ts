/** A bank whose IFSCs have ended, since it was merged into another one. */
interface Merger {
  was: string;
  into: string;
  /** The first four letters of the IFSCs of that bank. */
  letters: string;
}

const sbi = { into: 'State Bank of India', letters: 'SBIN' };
const baroda = { into: 'Bank of Baroda', letters: 'BARB' };
const pnb = { into: 'Punjab National Bank', letters: 'PUNB' };
const union = { into: 'Union Bank of India', letters: 'UBIN' };

/**
 * By the first four letters of their IFSC: the mergers after which each branch got another IFSC. A new one changes fingerprints: it needs a
 * new `form` in server/features/destinations/fingerprint.ts.
 */
const mergers: Readonly<Record<string, Merger>> = {
  // ING Vysya Bank, 2015.
  VYSA: { was: 'ING Vysya Bank', into: 'Kotak Mahindra Bank', letters: 'KKBK' },
  // The associates of the State Bank of India, 2017.
  BMBL: { was: 'Bharatiya Mahila Bank', ...sbi },
  SBBJ: { was: 'State Bank of Bikaner and Jaipur', ...sbi },
  SBHY: { was: 'State Bank of Hyderabad', ...sbi },
  SBMY: { was: 'State Bank of Mysore', ...sbi },
  SBTR: { was: 'State Bank of Travancore', ...sbi },
  STBP: { was: 'State Bank of Patiala', ...sbi },
  // Public sector banks, 2019 and 2020; their IFSCs ended in 2021.
  ALLA: { was: 'Allahabad Bank', into: 'Indian Bank', letters: 'IDIB' },
  ANDB: { was: 'Andhra Bank', ...union },
  BKDN: { was: 'Dena Bank', ...baroda },
  CORP: { was: 'Corporation Bank', ...union },
  ORBC: { was: 'Oriental Bank of Commerce', ...pnb },
  SYNB: { was: 'Syndicate Bank', into: 'Canara Bank', letters: 'CNRB' },
  UTBI: { was: 'United Bank of India', ...pnb },
  VIJB: { was: 'Vijaya Bank', ...baroda },
  // Later ones.
  LAVB: { was: 'Lakshmi Vilas Bank', into: 'DBS Bank', letters: 'DBSS' },
  PMCB: {
    was: 'Punjab and Maharashtra Co-operative Bank',
    into: 'Unity Small Finance Bank',
    letters: 'UNBA',
  },
  FSFB: { was: 'Fincare Small Finance Bank', into: 'AU Small Finance Bank', letters: 'AUBL' },
};

/** The merger that ended an IFSC, also of one that is not typed to its end. */
export function mergerOf(ifsc: string): Merger | undefined {
  const letters = lettersOf(ifsc);
  return Object.hasOwn(mergers, letters) ? mergers[letters] : undefined;
}

/** The first four letters of the IFSCs of the bank that has this account now. */
export const bankLettersOf = (ifsc: string): string => mergerOf(ifsc)?.letters ?? lettersOf(ifsc);

const lettersOf = (ifsc: string) => ifsc.trim().slice(0, 4).toUpperCase();
