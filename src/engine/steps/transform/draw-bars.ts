const width = 30
const maxRows = 50
const maxNameLength = 60

/** Draws a bar chart with text characters. */
export function drawBars(numbers: Readonly<Record<string, number>>): string {
  const rows = Object.entries(numbers)
    .slice(0, maxRows)
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

function shorten(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 1)}…`
}
