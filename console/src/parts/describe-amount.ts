const microDollarsPerDollar = 1_000_000

/** Prices are entered with a decimal point, so they are shown with one. */
const dollarWriting = 'en-US'

/** Formats an amount of money: smaller amounts get more decimals. */
export function describeDollars(microDollars: number): string {
  if (microDollars === 0) return '$0'
  return writeDollars(microDollars / microDollarsPerDollar)
}

/** Formats an amount to the last micro-dollar, for the exact value on hover. */
export function describeExactDollars(microDollars: number): string {
  return `$${(microDollars / microDollarsPerDollar).toLocaleString(dollarWriting, { maximumFractionDigits: 6 })}`
}

/** Formats the price of a million tokens, which may be a fraction of a cent. */
export function describePrice(dollars: number): string {
  return `$${dollars.toLocaleString(dollarWriting, { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
}

/** Formats a number for narrow spaces: `12K`, `3.4M`. */
export function describeRoughly(amount: number): string {
  return amount.toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 1 })
}

/** Formats a count for the axis of a chart, where half a run or call would be a riddle. */
export function describeWhole(count: number): string {
  return Number.isInteger(count) ? describeRoughly(count) : ''
}

function writeDollars(dollars: number): string {
  const maximumFractionDigits = dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6
  return `$${dollars.toLocaleString(dollarWriting, { minimumFractionDigits: 2, maximumFractionDigits })}`
}
