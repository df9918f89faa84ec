const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats bytes, such as `512.3 MB`. */
export function describeBytes(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
