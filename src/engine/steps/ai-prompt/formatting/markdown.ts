import { setImmediate } from 'node:timers/promises'
import type { fromMarkdown } from 'mdast-util-from-markdown'
import { type Block, deepest, type Inline, indent, plainTextOf, safeUrl, type Table } from './document.ts'

type Node = ReturnType<typeof fromMarkdown>['children'][number]

/** The parser takes more than linear time, so it parses small pieces. */
const maxPieceLength = 4000
const maxMarkers = 400
const turnMs = 10

/** Parses Markdown. Raw HTML and unsafe links are dropped. Throws when the signal aborts. */
export async function readMarkdown(source: string, signal?: AbortSignal): Promise<readonly Block[]> {
  const { fromMarkdown: parse } = await import('mdast-util-from-markdown')
  const blocks: Block[] = []
  let turnBeganMs = performance.now()
  for (const { text, isMoreOfList } of piecesOf(source.replaceAll(/\r\n?/g, '\n'))) {
    const isSimple = text.length <= maxPieceLength && (text.match(/[*_[\]<`]/g)?.length ?? 0) <= maxMarkers
    const read = isSimple ? readBlocks(parse(text).children, 0) : readPlainly(text)
    if (isMoreOfList) joinLists(blocks, read)
    else blocks.push(...read)
    if (performance.now() - turnBeganMs < turnMs) continue
    await setImmediate()
    signal?.throwIfAborted()
    turnBeganMs = performance.now()
  }
  return blocks
}

interface Piece {
  readonly text: string
  /** The piece begins in the middle of a list. */
  readonly isMoreOfList: boolean
}

/** A list with more characters may be split between its items. */
const enough = 1000
const fenceLine = /^ {0,3}(`{3,}|~{3,})/
const listItem = /^(?:[-+*]|\d{1,9}[.)])\s/
const goesOn = /^(?:\s|[-+*]\s|\d{1,9}[.)]\s|>)/

/** Splits a text where a block begins: after an empty line, outside of code, lists and quotes. */
function* piecesOf(source: string): Generator<Piece, void, void> {
  let piece: string[] = []
  let length = 0
  let isMoreOfList = false
  let open: string | undefined
  let afterBlank = true
  for (const line of source.split('\n')) {
    const isNew = afterBlank && line !== '' && !goesOn.test(line)
    const isMore = length > enough && listItem.test(line) && listItem.test(piece[0] ?? '')
    if (open === undefined && piece.length > 0 && (isNew || isMore)) {
      yield { text: piece.join('\n'), isMoreOfList }
      piece = []
      length = 0
      isMoreOfList = isMore
    }
    piece.push(line)
    length += line.length
    const sign = fenceLine.exec(line)?.[1]
    if (open === undefined) open = sign
    else if (sign !== undefined && sign.startsWith(open) && line.trim() === sign) open = undefined
    afterBlank = line.trim() === ''
  }
  if (piece.length > 0) yield { text: piece.join('\n'), isMoreOfList }
}

/** Joins a list that was split between two items. */
function joinLists(blocks: Block[], more: readonly Block[]): void {
  const [first, ...rest] = more
  const last = blocks.at(-1)
  if (last?.kind !== 'list' || first?.kind !== 'list') {
    blocks.push(...more)
    return
  }
  blocks[blocks.length - 1] = { ...last, items: [...last.items, ...first.items] }
  blocks.push(...rest)
}

/** Reads a piece that is too large for the parser: only paragraphs and code. */
function readPlainly(piece: string): Block[] {
  const code = /^ {0,3}(?:`{3,}|~{3,})([^\n`]{0,40})\n([^]*?)\n? {0,3}(?:`{3,}|~{3,})\s*$/.exec(piece)
  if (code !== null) return [{ kind: 'code', language: languageOf(code[1]), text: code[2] ?? '' }]
  return piece
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .flatMap((text) => readParagraph([{ kind: 'text', text }]))
}

function readBlocks(nodes: readonly Node[], depth: number): Block[] {
  return nodes.flatMap((node) => readBlock(node, depth))
}

function readBlock(node: Node, depth: number): Block[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', level: node.depth, inside: readLine(node.children, depth) }]
    case 'paragraph':
      return readParagraph(readLine(node.children, depth))
    case 'code':
      return [{ kind: 'code', language: languageOf(node.lang), text: node.value }]
    case 'thematicBreak':
      return [{ kind: 'rule' }]
    case 'blockquote':
      if (depth >= deepest) return readBlocks(node.children, depth)
      return [{ kind: 'quote', blocks: readBlocks(node.children, depth + 1) }]
    case 'list': {
      if (depth >= deepest) return node.children.flatMap((item) => readBlocks(item.children, depth))
      const items = node.children.map((item) => readBlocks(item.children, depth + 1))
      return [{ kind: 'list', first: node.ordered === true ? (node.start ?? 1) : undefined, items }]
    }
    default:
      return []
  }
}

function readParagraph(inside: readonly Inline[]): Block[] {
  const found = findTable(inside)
  if (found === undefined) return inside.length === 0 ? [] : [{ kind: 'paragraph', inside }]
  const before: Block[] =
    found.before === '' ? [] : [{ kind: 'paragraph', inside: [{ kind: 'text', text: found.before }] }]
  return [...before, found.table]
}

function readLine(nodes: readonly Node[], depth: number): Inline[] {
  return nodes.flatMap((node): Inline[] => {
    switch (node.type) {
      case 'text':
        return [{ kind: 'text', text: node.value }]
      case 'inlineCode':
        return [{ kind: 'code', text: node.value }]
      case 'break':
        return [{ kind: 'break' }]
      case 'strong':
      case 'emphasis': {
        const inside = readLine(node.children, depth + 1)
        return depth >= deepest ? inside : [{ kind: node.type, inside }]
      }
      case 'link': {
        const url = safeUrl(node.url)
        const inside = readLine(node.children, depth + 1)
        return url === undefined ? inside : [{ kind: 'link', url, inside }]
      }
      case 'image': {
        const [url, alt] = [safeUrl(node.url), node.alt ?? '']
        return url === undefined ? [{ kind: 'text', text: alt }] : [{ kind: 'image', url, alt }]
      }
      default:
        return 'children' in node ? readLine(node.children, depth + 1) : []
    }
  })
}

function languageOf(given: string | null | undefined): string {
  return /^[\w+#.-]{1,40}/.exec(given?.trim() ?? '')?.[0] ?? ''
}

const delimiters = /^\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?$/
const maxRows = 1000
const maxColumns = 50

/** Finds a table with pipes in the lines of a paragraph: a row of names, and below it a row of dashes with as many columns. */
function findTable(
  inside: readonly Inline[],
): { readonly before: string; readonly table: Table } | undefined {
  const text = plainTextOf(inside)
  if (!text.includes('|')) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const at = lines.findIndex((line, index) => {
    const columns = cellsOf(line).length
    return (
      index > 0 &&
      line.includes('-') &&
      delimiters.test(line) &&
      columns === cellsOf(lines[index - 1] ?? '').length
    )
  })
  if (at < 0) return undefined
  const header = cellsOf(lines[at - 1] ?? '').slice(0, maxColumns)
  const rows = lines.slice(at + 1, at + 1 + maxRows).map((line) => {
    const cells = cellsOf(line)
    return header.map((_, column) => cells[column] ?? '')
  })
  return { before: lines.slice(0, at - 1).join(' '), table: { kind: 'table', header, rows } }
}

/** The cells of a row. An outer pipe on either side adds no cell. */
function cellsOf(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())
}

/** Writes the document as Markdown, with tables of GitHub's flavour. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks
    .map(writeMarkdownBlock)
    .filter((text) => text !== '')
    .join('\n\n')
}

function writeMarkdownBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${writeLine(block.inside).replaceAll(/\\?\n/g, ' ')}`
    case 'paragraph':
      return writeLine(block.inside).trim().replaceAll(lineStart, '$1\\$2')
    case 'code': {
      const fence = fenceAround(block.text, 3)
      return `${fence}${block.language}\n${block.text}\n${fence}`
    }
    case 'quote':
      return writeMarkdown(block.blocks).replaceAll(/^/gm, '> ')
    case 'list': {
      const { first, items } = block
      return items
        .map((item, index) => {
          const sign = first === undefined ? '- ' : `${first + index}. `
          return `${sign}${indent(item.map(writeMarkdownBlock).join('\n'), sign.length)}`
        })
        .join('\n')
    }
    case 'rule':
      return '---'
    default:
      return [block.header, block.header.map(() => '---'), ...block.rows].map(writeRow).join('\n')
  }
}

/** Characters that would begin a block at the start of a line. */
const lineStart = /^([ \t]*\d{0,9})([#>+-](?=\s|$)|[.)](?=\s)|={3,}|-{3,}|~{3,})/gm

function writeRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => escape(cell.replaceAll('\n', ' ')).replaceAll('|', '\\|')).join(' | ')} |`
}

function writeLine(inside: readonly Inline[]): string {
  return joinCode(inside)
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return escape(part.text)
        case 'code':
          return writeCode(part.text)
        case 'break':
          return '\\\n'
        case 'strong':
          return `**${writeLine(part.inside)}**`
        case 'emphasis':
          return `*${writeLine(part.inside)}*`
        case 'link':
          return `[${writeLine(part.inside)}](${writeUrl(part.url)})`
        default:
          return `![${escape(part.alt)}](${writeUrl(part.url)})`
      }
    })
    .join('')
}

function writeCode(text: string): string {
  if (text.trim() === '') return text
  const fence = fenceAround(text, 1)
  const blank = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${blank}${text}${blank}${fence}`
}

/** A fence that is longer than every run of backticks in the text. */
function fenceAround(text: string, least: number): string {
  const longest = Math.max(least - 1, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest + 1)
}

/** Joins adjacent parts of code: their backticks would be parsed as one fence. */
function joinCode(inside: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = []
  for (const part of inside) {
    const last = joined.at(-1)
    if (last?.kind === 'code' && part.kind === 'code')
      joined[joined.length - 1] = { kind: 'code', text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}

/** Escapes characters of Markdown. An underscore inside a word needs no escape. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*[\]<]|\b_(?!\w)|(?<!\w)_|&(?=#|\w)/g, '\\$&')
}

function writeUrl(url: string): string {
  return url.replaceAll(/[()<>\\]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
}
