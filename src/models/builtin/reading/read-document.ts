import { createDocumentBuilder, type DocumentBuilder } from './document-builder.ts'
import { loadHtmlTagReader } from './html-tags.ts'
import { createMarkdownNodes } from './markdown-nodes.ts'
import type { Pacer } from './pacer.ts'
import { readHtml } from './read-html.ts'
import type { TextDocument } from './text-document.ts'

/** Parses a text as HTML if it looks like HTML, else as Markdown, which includes plain text. */
export async function readDocument(
  source: string,
  { format = formatOf(source), pacer }: { format?: TextDocument['format'] | undefined; pacer: Pacer },
): Promise<TextDocument> {
  const builder = createDocumentBuilder(format)
  if (format === 'html') {
    await readHtml(source, { tags: await loadHtmlTagReader(), builder, pacer })
    return builder.build()
  }
  const { title, description, body } = takeFrontMatter(
    source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'),
  )
  if (title !== undefined) builder.title(title)
  if (description !== undefined) builder.description(description)
  await readMarkdown(body, { builder, pacer })
  return builder.build()
}

const pageStart = /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i
const tagStart = /^\s*<(?:!--|[a-z][a-z0-9-]*[\s/>])/i
const blockEnd = /<\/(?:p|div|h[1-6]|ul|ol|table|section|article|main|header|blockquote)>/i
const markdownHeading = /^#{1,6} /m

/** HTML is a page, or a fragment that starts with a tag and has no Markdown headings. */
function formatOf(source: string): TextDocument['format'] {
  const start = source.slice(0, 4096)
  if (pageStart.test(start)) return 'html'
  return tagStart.test(start) && blockEnd.test(source) && !markdownHeading.test(source) ? 'html' : 'markdown'
}

/** The metadata of a page above its text, between two lines of dashes. */
interface FrontMatter {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly body: string
}

const maxLength = 64 * 1024
const block = /^---[ \t]*\n(?<fields>(?:[^\n]*\n){0,200}?)---[ \t]*(?:\n|$)/

/** Separates the front matter. Each of its lines must be a field or continue one; else the dashes are part of the text. */
function takeFrontMatter(source: string): FrontMatter {
  const found = source.startsWith('---') ? block.exec(source.slice(0, maxLength)) : null
  const lines = found?.groups?.['fields']?.split('\n') ?? []
  const isFields =
    /^[\w-]+:/.test(lines[0] ?? '') && lines.every((line) => /^(?:[\w-]+:|[\s#-]|$)/.test(line))
  if (found === null || !isFields) return { title: undefined, description: undefined, body: source }
  const field = (name: string) => {
    const line = lines.find((candidate) => candidate.startsWith(`${name}:`))
    return line
      ?.slice(name.length + 1)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
  }
  return { title: field('title'), description: field('description'), body: source.slice(found[0].length) }
}

/** Parsing hostile markup takes up to 40 µs for a marker. A long book has about this many. */
const maxMarkers = 50_000

const definition = /^ {0,3}\[(?<label>[^[\]\n]{1,200})\]:[ \t]*<?(?<url>[^\s<>]{1,2000})>?/gm
const maxDefinitions = 2000

async function readMarkdown(
  source: string,
  { builder, pacer }: { builder: DocumentBuilder; pacer: Pacer },
): Promise<void> {
  const { fromMarkdown } = await import('mdast-util-from-markdown')
  // Many texts indent the first line of a paragraph; code is usually fenced.
  const options = { extensions: [{ disable: { null: ['codeIndented'] } }] }
  const nodes = createMarkdownNodes(builder, source.includes('<') ? await loadHtmlTagReader() : undefined)
  const urls = definedUrls(source)
  let markers = 0
  for (const piece of markdownPieces(source)) {
    markers += piece.markers
    if (markers <= maxMarkers) {
      nodes.read(fromMarkdown(piece.text + definitionsFor(piece.text, urls), options), urls, piece.glue)
    } else {
      builder.isIncomplete()
      if (piece.glue === undefined)
        for (const text of piece.text.split(/\n\s*\n/)) builder.passage('paragraph', text)
      else builder.extend(piece.text, piece.glue)
    }
    if (pacer.isDue()) await pacer.rest()
  }
}

/** The URLs of link references, wherever they are defined. */
function definedUrls(source: string): Map<string, string> {
  const urls = new Map<string, string>()
  for (const { groups } of source.matchAll(definition)) {
    const label = nameOf(groups?.['label'] ?? '')
    if (!urls.has(label)) urls.set(label, groups?.['url'] ?? '')
    if (urls.size === maxDefinitions) break
  }
  return urls
}

/** The definitions that the references of a piece need, because they may be in another piece. */
function definitionsFor(piece: string, urls: ReadonlyMap<string, string>): string {
  if (urls.size === 0) return ''
  const named = new Set<string>()
  for (const [, label = ''] of piece.matchAll(/\[([^[\]\n]{1,200})\]/g)) {
    if (urls.has(nameOf(label))) named.add(nameOf(label))
  }
  return [...named].map((label) => `\n\n[${label}]: <${urls.get(label)}>`).join('')
}

function nameOf(label: string): string {
  return label.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** A part of a Markdown source that can be parsed by itself. */
interface MarkdownPiece {
  readonly text: string
  /** Undefined at the start of a block; else the text at the cut of the previous block. */
  readonly glue: '' | ' ' | undefined
  readonly markers: number
}

/** From this size a piece ends at the next good cut; at `maxLineLength` it ends anywhere. */
const enough = { chars: 2048, markers: 128 }

const heading = /^#{1,6}\s/
const item = /^(?:[-+*]|\d{1,9}[.)])\s/
const htmlUpTo: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>])/i, /<\/(?:script|pre|style|textarea)>/i],
]

/**
 * Cuts a source into small pieces, because the time of the parser grows faster than the number of blocks. A piece ends
 *
 * | before                               | when it is  | the next piece                    |
 * |--------------------------------------|-------------|-----------------------------------|
 * | a heading                            | big enough  | starts a new block                |
 * | a paragraph, after an empty line     | big enough  | starts a new block                |
 * | an item of a list                    | big enough  | continues the list                |
 * | anything                             | full        | continues the block               |
 */
export function* markdownPieces(source: string): Generator<MarkdownPiece, void, void> {
  let text = ''
  let markers = 0
  let glue: MarkdownPiece['glue']
  let afterBlank = true
  let htmlEnd: RegExp | undefined

  for (const line of markdownLines(source)) {
    const hasEnough = text.length > enough.chars || markers > enough.markers
    const isFull =
      text.length + line.text.length > maxLineLength.chars || markers + line.markers > maxLineLength.markers
    const cut =
      hasEnough && htmlEnd === undefined && line.glue === undefined ? goodCut(line, afterBlank) : undefined
    if (text !== '' && (cut !== undefined || isFull)) {
      yield { text, glue, markers }
      text = ''
      markers = 0
      glue = cut === 'block' || (cut === undefined && afterBlank) ? undefined : (line.glue ?? ' ')
    }
    text += line.text
    markers += line.markers
    afterBlank = line.text.trim() === ''
    htmlEnd ??= line.glue === undefined ? htmlUpTo.find(([start]) => start.test(line.text))?.[1] : undefined
    if (htmlEnd?.test(line.text) === true) htmlEnd = undefined
  }
  if (text !== '') yield { text, glue, markers }
}

function goodCut({ text }: MarkdownLine, afterBlank: boolean): 'block' | 'item' | undefined {
  if (heading.test(text)) return 'block'
  if (item.test(text)) return 'item'
  return afterBlank && /^\S/.test(text) ? 'block' : undefined
}

/** A line of a Markdown source, or a part of a long one. */
interface MarkdownLine {
  /** Includes the line end. */
  readonly text: string
  /** Undefined at the start of a line; else the text at the cut of the line. */
  readonly glue: '' | ' ' | undefined
  /** The number of Markdown markers, which determines the parsing time. */
  readonly markers: number
}

/** The bound of a line in characters and markers. */
export const maxLineLength = { chars: 4096, markers: 256 } as const

const marker = /[*_]+|[[\]<&\\>]|`+|(?:[-+#=~]|\d[.)])(?=\s|$)|\n/g
const fenceStart = /^[ \t]*(?:(?<ticks>`{3,})[^`]*|(?<waves>~{3,}).*)$/
const fenceEnd = /^[ \t]*(?<sign>`{3,}|~{3,})[ \t]*$/

/** The lines of a source, without the content of fenced code, of which only the block is counted. */
function* markdownLines(source: string): Generator<MarkdownLine, void, void> {
  let fence: string | undefined
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf('\n', start)
    const line = source.slice(start, end < 0 ? source.length : end + 1)
    start += line.length
    if (fence === undefined) {
      const { ticks, waves } = fenceStart.exec(line.trimEnd())?.groups ?? {}
      fence = ticks ?? waves
      yield* cutLine(line)
    } else if (closes(line, fence)) {
      fence = undefined
      yield* cutLine(line)
    }
  }
}

function closes(line: string, fence: string): boolean {
  const sign = fenceEnd.exec(line.trimEnd())?.groups?.['sign']
  return sign !== undefined && sign[0] === fence[0] && sign.length >= fence.length
}

function* cutLine(line: string): Generator<MarkdownLine, void, void> {
  let glue: MarkdownLine['glue']
  for (let start = 0; start < line.length; ) {
    const { end, markers } = fitting(line, start)
    const cutAt = end === line.length ? end : niceCut(line, start, end)
    yield { text: line.slice(start, cutAt), glue, markers }
    start = cutAt
    glue = line[cutAt - 1] === ' ' ? ' ' : ''
  }
}

/** The end of the part of a line that fits the bound. */
function fitting(line: string, start: number): { readonly end: number; readonly markers: number } {
  const end = Math.min(line.length, start + maxLineLength.chars)
  const found = line.slice(start, end).matchAll(marker)
  let markers = 0
  for (const { index } of found) {
    if (markers === maxLineLength.markers) return { end: start + index, markers }
    markers += 1
  }
  return { end, markers }
}

/** Prefers a nearby space, and never cuts inside a character. */
function niceCut(line: string, start: number, end: number): number {
  const blank = line.lastIndexOf(' ', end - 1)
  if (blank > start + (end - start) / 2) return blank + 1
  const last = line.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 && end - 1 > start ? end - 1 : end
}
