const width = 30
const mostRows = 50
const longestName = 60

/** Numbers as bars of text, the longest for the largest: it can be read wherever text can. */
export function drawBars(numbers: Readonly<Record<string, number>>): string {
  const rows = Object.entries(numbers)
    .slice(0, mostRows)
    .map(([name, value]) => [shorten(name), value] as const)
  const nameWidth = Math.max(0, ...rows.map(([name]) => name.length))
  const largest = Math.max(0, ...rows.map(([, value]) => Math.abs(value)))
  return rows
    .map(([name, value]) => {
      const length = largest === 0 ? 0 : Math.round((Math.abs(value) / largest) * width)
      return `${name.padEnd(nameWidth)} ${'█'.repeat(length)}${length === 0 ? '' : ' '}${value}`
    })
    .join('\n')
}

/** Every name is as wide as the widest. */
function shorten(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`
}
