import { drawBars } from '../../calculate-metrics.ts'
import { type Anchors, type Block, plainTextOf, type Table, writePlainText } from './document.ts'
import { readHtml, writeHtml } from './html.ts'
import { readMarkdown, writeMarkdown } from './markdown.ts'

interface FormatOptions {
  readonly format: 'markdown' | 'html' | 'plain_text'
  /** Puts a table of contents before the text. */
  readonly withContents: boolean
  /** Draws a bar chart below each table of numbers. */
  readonly withCharts: boolean
  readonly signal?: AbortSignal | undefined
}

interface Formatted {
  readonly text: string
  readonly headings: number
  readonly charts: number
}

const writers = {
  markdown: writeMarkdown,
  plain_text: writePlainText,
  html: writeHtml,
} as const

/**
 * Converts a text in Markdown or HTML into one format. The result is safe to display: all its markup is generated here, none is copied
 * from the text. Throws when the signal aborts.
 */
export async function formatText(source: string, options: FormatOptions): Promise<Formatted> {
  const { format, withContents, withCharts, signal } = options
  const read = isHtml(source) ? await readHtml(source, signal) : await readMarkdown(source, signal)
  const { blocks, charts } = withCharts ? addCharts(read) : { blocks: read, charts: 0 }
  const anchors = anchorsOf(blocks)
  const contents = withContents ? tableOfContents(blocks, anchors) : undefined
  const all: readonly Block[] = contents === undefined ? blocks : [contents, ...blocks]
  return { text: writers[format](all, anchors), headings: anchors.size, charts }
}

const tagStart = /^\s*<(?:!doctype\s|!--|[a-z][a-z0-9-]{0,20}[\s/>])/i
const blockEnd = /<\/(?:p|div|h[1-6]|ul|ol|table|section|article|main|header|blockquote|body|html)>/i

/** A text is HTML when it starts with a tag and closes a block. */
function isHtml(source: string): boolean {
  return tagStart.test(source.slice(0, 200)) && blockEnd.test(source)
}

const maxBars = 50
const maxLabelLength = 40

/** Draws a bar chart below every table that has a column of numbers. */
function addCharts(blocks: readonly Block[]): {
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

/** The first column has the labels of the bars, the first column of numbers their lengths. */
function chartOf({ header, rows }: Table): string | undefined {
  const shown = rows.slice(0, maxBars)
  const column = header.findIndex(
    (_, at) => at > 0 && shown.length > 0 && shown.every((row) => numberIn(row[at]) !== undefined),
  )
  if (column < 0) return undefined
  const bars = new Map<string, number>()
  for (const [index, row] of shown.entries()) {
    const label = (row[0] ?? '').slice(0, maxLabelLength)
    const name = label === '' || bars.has(label) ? `${label} (${index + 1})`.trim() : label
    bars.set(name, numberIn(row[column]) ?? 0)
  }
  return `${header[column] ?? ''}\n\n${drawBars(Object.fromEntries(bars))}`
}

const written = /^[^\d-]{0,3}(-?\d{1,3}(?:,\d{3})+|-?\d{1,15})(\.\d{1,15})?\s*[^\d\s]{0,4}$/

/** Parses a number as people write it in tables: with a currency symbol, a percent sign, or thousands separators. */
function numberIn(cell = ''): number | undefined {
  const [, whole, fraction = ''] = written.exec(cell.trim()) ?? []
  return whole === undefined ? undefined : Number(`${whole.replaceAll(',', '')}${fraction}`)
}

const maxEntries = 200

type Heading = Block & { readonly kind: 'heading' }

/** Unique anchors for the headings of a document, generated the same way as by Markdown renderers. */
function anchorsOf(blocks: readonly Block[]): Anchors {
  const taken = new Map<string, number>()
  return new Map(
    headingsOf(blocks).map((heading) => {
      const name = nameOf(plainTextOf(heading.inside))
      const times = taken.get(name) ?? 0
      taken.set(name, times + 1)
      return [heading, times === 0 ? name : `${name}-${times}`]
    }),
  )
}

/** A nested list of links to the headings. Undefined without headings. */
function tableOfContents(blocks: readonly Block[], anchors: Anchors): Block | undefined {
  const headings = headingsOf(blocks).slice(0, maxEntries)
  if (headings.length === 0) return undefined
  return listOf(headings, anchors)
}

function listOf(headings: readonly Heading[], anchors: Anchors): Block {
  const level = Math.min(...headings.map((heading) => heading.level))
  const items: Block[][] = []
  for (let at = 0; at < headings.length; ) {
    const next = headings.findIndex((heading, index) => index > at && heading.level === level)
    const end = next < 0 ? headings.length : next
    const own = headings[at]
    const isOwn = own?.level === level
    const below = headings.slice(isOwn ? at + 1 : at, end)
    items.push([
      ...(own !== undefined && isOwn ? [entryOf(own, anchors)] : []),
      ...(below.length === 0 ? [] : [listOf(below, anchors)]),
    ])
    at = end
  }
  return { kind: 'list', first: undefined, items }
}

function entryOf(heading: Heading, anchors: Anchors): Block {
  const text = plainTextOf(heading.inside)
  const url = `#${anchors.get(heading) ?? ''}`
  return { kind: 'paragraph', inside: [{ kind: 'link', url, inside: [{ kind: 'text', text }] }] }
}

/** Headings inside a list or a quote are not part of the table of contents. */
function headingsOf(blocks: readonly Block[]): Heading[] {
  return blocks.filter((block) => block.kind === 'heading')
}

function nameOf(text: string): string {
  const name = text
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  return name === '' ? 'section' : name
}
