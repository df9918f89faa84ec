const microDollarsPerDollar = 1_000_000

/** Prices are typed with a point, so they are shown with one. */
const dollarWriting = 'en-US'

/** Money as people write it: the less it is, the more digits matter. */
export function describeDollars(microDollars: number): string {
  if (microDollars === 0) return '$0'
  return writeDollars(microDollars / microDollarsPerDollar)
}

/** Money to the last micro-dollar, for who wants to know. */
export function describeExactDollars(microDollars: number): string {
  return `$${(microDollars / microDollarsPerDollar).toLocaleString(dollarWriting, { maximumFractionDigits: 6 })}`
}

/** The price of a million tokens, which may be a fraction of a cent. */
export function describePrice(dollars: number): string {
  return `$${dollars.toLocaleString(dollarWriting, { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
}

/** A number where there is no space for all its digits: `12K`, `3.4M`. */
export function describeRoughly(amount: number): string {
  return amount.toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 1 })
}

function writeDollars(dollars: number): string {
  const maximumFractionDigits = dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6
  return `$${dollars.toLocaleString(dollarWriting, { minimumFractionDigits: 2, maximumFractionDigits })}`
}
