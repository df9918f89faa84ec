import { drawBars } from '../../transform/draw-bars.ts'
import type { Block, Table } from './document.ts'

const mostBars = 50
const longestLabel = 40

/** Draws every table that has a column of numbers as bars below it. */
export function addCharts(blocks: readonly Block[]): {
  readonly blocks: readonly Block[]
  readonly charts: number
} {
  let charts = 0
  const drawn = blocks.flatMap((block): Block[] => {
    const text = block.kind === 'table' ? chartOf(block) : undefined
    if (text === undefined) return [block]
    charts += 1
    return [block, { kind: 'code', language: 'text', text }]
  })
  return { blocks: drawn, charts }
}

/** The first column names the bars, the first column of numbers says how long they are. */
function chartOf({ header, rows }: Table): string | undefined {
  const shown = rows.slice(0, mostBars)
  const column = header.findIndex(
    (_, at) => at > 0 && shown.length > 0 && shown.every((row) => numberIn(row[at]) !== undefined),
  )
  if (column < 0) return undefined
  const bars = new Map<string, number>()
  for (const [index, row] of shown.entries()) {
    const label = (row[0] ?? '').slice(0, longestLabel)
    const name = label === '' || bars.has(label) ? `${label} (${index + 1})`.trim() : label
    bars.set(name, numberIn(row[column]) ?? 0)
  }
  return `${header[column] ?? ''}\n\n${drawBars(Object.fromEntries(bars))}`
}

const written = /^[^\d-]{0,3}(-?\d{1,3}(?:,\d{3})+|-?\d{1,15})(\.\d{1,15})?\s*[^\d\s]{0,4}$/

/** A number as people write it in tables: with a sign of money, a percent sign, or commas between thousands. */
function numberIn(cell = ''): number | undefined {
  const [, whole, fraction = ''] = written.exec(cell.trim()) ?? []
  return whole === undefined ? undefined : Number(`${whole.replaceAll(',', '')}${fraction}`)
}
