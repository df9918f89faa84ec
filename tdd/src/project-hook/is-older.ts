/** Compares versions number by number; what follows a dash is left out. */
export function isOlder(version: string, than: string): boolean {
  const [have, want] = [version, than].map((text) => (text.split('-')[0] ?? '').split('.').map(Number))
  for (let at = 0; at < 3; at++) {
    const difference = (have?.[at] || 0) - (want?.[at] || 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
