/** How much of the code the tests reach. Go counts statements, as its profiles know no lines; all others count lines. */
export type Coverage = {
  format: 'coverage-summary' | 'lcov' | 'cobertura' | 'jacoco' | 'clover' | 'go'
  linesTotal: number
  linesCovered: number
  percent: number
}

/**
 * A report about no line at all says nothing about coverage, so it gives undefined and not 100.
 * The percentage is cut after two decimals: 79.999 does not reach a threshold of 80.
 */
export function coverageOf(
  format: Coverage['format'],
  covered: unknown,
  total: unknown,
): Coverage | undefined {
  if (!isCount(covered) || !isCount(total) || total === 0 || covered > total) return undefined
  return {
    format,
    linesTotal: total,
    linesCovered: covered,
    percent: Math.floor((covered * 10_000) / total) / 100,
  }
}

/** Reads a count as attributes and lines spell it. */
export function countFrom(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
