/** Something that was counted, and how much of everything that is. */
export interface Share {
  readonly name: string
  readonly count: number
  /** 0 to 1. */
  readonly share: number
}

/** Counts with their shares of the total, in the order they came. */
export function sharesOf(
  counted: ReadonlyArray<{ readonly name: string; readonly count: number }>,
  total: number,
): readonly Share[] {
  return counted.map(({ name, count }) => ({ name, count, share: total === 0 ? 0 : count / total }))
}

/** A share in percent; what is there is never told as nothing. */
export function describePercent(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %'
  return `${Math.round(share * 100)} %`
}

/** A theme and its version in one name. */
export function describeVersion({
  theme,
  version,
}: {
  readonly theme: string
  readonly version: string
}): string {
  if (theme === 'unknown') return version === 'unknown' ? 'Unknown' : version
  return version === 'unknown' ? theme : `${theme} ${version}`
}

const browsers: Readonly<Record<string, string>> = { bot: 'Bots and scripts', samsung: 'Samsung Internet' }

/** A family of browsers as people know it. */
export function describeBrowser(family: string): string {
  const known = Object.hasOwn(browsers, family) ? browsers[family] : undefined
  return known ?? `${family.slice(0, 1).toUpperCase()}${family.slice(1)}`
}
