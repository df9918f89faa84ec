const decimal = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i

/** Decimal places of a dollar that a micro-dollar has. */
const places = 6

/**
 * Dollars as whole micro-dollars, digit by digit: 0.1 is not a number a computer has. A part of a micro-dollar counts as a
 * whole one. Undefined for what is no amount of money.
 */
export function microDollarsOf(dollars: string | number): number | undefined {
  const [, units = '', fraction = '', exponent = '0'] = decimal.exec(String(dollars).trim()) ?? []
  if (units === '') return undefined
  const shift = Number(exponent) + places - fraction.length
  const digits = BigInt(units + fraction)
  const micro = shift >= 0 ? digits * 10n ** BigInt(shift) : ceilDivide(digits, 10n ** BigInt(-shift))
  return micro <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micro) : undefined
}

/** As people write it: exact, because six decimals of a dollar are well within what a number holds. */
export function dollarsOf(microDollars: number): number {
  return microDollars / 1_000_000
}

function ceilDivide(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by
}
