const width = 30

/** Numbers as bars of text, the longest for the largest: it can be read wherever text can. */
export function drawBars(numbers: Readonly<Record<string, number>>): string {
  const rows = Object.entries(numbers)
  const longestName = Math.max(0, ...rows.map(([name]) => name.length))
  const largest = Math.max(0, ...rows.map(([, value]) => Math.abs(value)))
  return rows
    .map(([name, value]) => {
      const length = largest === 0 ? 0 : Math.round((Math.abs(value) / largest) * width)
      return `${name.padEnd(longestName)} ${'█'.repeat(length)}${length === 0 ? '' : ' '}${value}`
    })
    .join('\n')
}
