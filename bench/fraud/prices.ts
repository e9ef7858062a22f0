/** What attackers pay, in rupees. Assumed, not measured: what such things are offered for, rounded down in their favour. */
export const prices = {
  /** An address of a household for a month. */
  address: 80,
  /** A SIM with a month of data. */
  sim: 150,
  /** An account with a verified address, and one that is a month old as well. */
  account: 4,
  agedAccount: 20,
  /** A thousand hours of scripted browsers. */
  thousandHours: 300,
};

export interface Spent {
  addresses?: number;
  sims?: number;
  accounts?: number;
  agedAccounts?: number;
  /** Of one browser. */
  hours?: number;
}

export const costOf = ({
  addresses = 0,
  sims = 0,
  accounts = 0,
  agedAccounts = 0,
  hours = 0,
}: Spent): number =>
  addresses * prices.address +
  sims * prices.sim +
  accounts * prices.account +
  agedAccounts * prices.agedAccount +
  (hours * prices.thousandHours) / 1000;
