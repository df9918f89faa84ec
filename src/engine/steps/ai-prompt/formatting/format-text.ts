import { anchorsOf, tableOfContents } from './anchors.ts'
import { addCharts } from './charts.ts'
import type { Block } from './document.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import { writeHtml } from './write-html.ts'
import { writeMarkdown } from './write-markdown.ts'
import { writePlainText } from './write-plain-text.ts'

interface FormatOptions {
  readonly format: 'markdown' | 'html' | 'plain_text'
  /** Puts a table of contents before the text. */
  readonly withContents: boolean
  /** Draws tables of numbers below them. */
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

/** Turns a text, in Markdown or HTML, into one format. What comes out is safe to show: it has no markup but what is written here. */
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

/** It begins with a tag and closes a block. */
function isHtml(source: string): boolean {
  return tagStart.test(source.slice(0, 200)) && blockEnd.test(source)
}
