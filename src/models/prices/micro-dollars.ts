const decimal = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i

/** Decimal places of a dollar that a micro-dollar has. */
const places = 6

/**
 * Converts dollars to whole micro-dollars on the decimal digits, because floating-point numbers cannot represent 0.1 exactly.
 * A fraction of a micro-dollar is rounded up. Undefined for text that is not an amount.
 */
export function microDollarsOf(dollars: string | number): number | undefined {
  const [, units = '', fraction = '', exponent = '0'] = decimal.exec(String(dollars).trim()) ?? []
  if (units === '') return undefined
  const shift = Number(exponent) + places - fraction.length
  const digits = BigInt(units + fraction)
  const micro = shift >= 0 ? digits * 10n ** BigInt(shift) : ceilDivide(digits, 10n ** BigInt(-shift))
  return micro <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micro) : undefined
}

/** Micro-dollars as dollars. Exact, because a number holds six decimals of any realistic amount. */
export function dollarsOf(microDollars: number): number {
  return microDollars / 1_000_000
}

function ceilDivide(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by
}
