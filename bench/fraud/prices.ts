/** Costs of an attack, in rupees. These are assumptions: market prices, rounded down in favour of the attackers. */
export const prices = {
  /** A residential address for a month. */
  address: 80,
  /** A SIM with a month of data. */
  sim: 150,
  /** An account with a verified address, and one that is also a month old. */
  account: 4,
  agedAccount: 20,
  /** A thousand hours of browser automation. */
  thousandHours: 300,
};

export interface Spent {
  addresses?: number;
  sims?: number;
  accounts?: number;
  agedAccounts?: number;
  /** For one browser. */
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
