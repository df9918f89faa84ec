/** Whole seconds since 1970, as this interface tells moments. */
export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

/** Seconds, to the millisecond. */
export function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}

export function dollars(microDollars: number): number {
  return Math.round(microDollars) / 1e6
}

/** To the kilobyte, as memory is also asked for. */
export function megabytes(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 1000) / 1000
}

/** To a hundredth; null when there is nothing to take a part of. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}

export function average(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
