const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** The two largest units of a time, such as `3d 4h`, `12m 5s` or `0s`. */
export function describeDuration(seconds: number): string {
  const first = units.findIndex(([, length]) => seconds >= length)
  if (first < 0) return '0s'
  let rest = seconds
  return units
    .slice(first, first + 2)
    .map(([unit, length]) => {
      const count = Math.floor(rest / length)
      rest -= count * length
      return `${count}${unit}`
    })
    .join(' ')
}
