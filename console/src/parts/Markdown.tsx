import { useThrottledValue } from '@mantine/hooks'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { memo, type ReactNode, useDeferredValue, useLayoutEffect } from 'react'
import styles from './Markdown.module.css'

interface MarkdownProps {
  readonly text: string
  readonly isStreaming: boolean
  /** Called after new text is rendered, which is deferred. */
  readonly onRendered: () => void
}

/**
 * The text of an answer is untrusted, and it is rendered again while it streams. The parser (micromark) is not linear: it
 * takes 24 s for 20 KB of ` *a_`. So the text is split into pieces between blocks, and
 * - a piece with too many markers, or with too many nested lists and quotes, is shown as plain text;
 * - an unchanged piece is not parsed again: while an answer streams, only its last piece is;
 * - rendering is deferred, so React yields to input between two pieces;
 * - fenced code and tables are read line by line, without the parser.
 *
 * HTML stays text, images are not loaded, and links lead only to web pages and e-mail addresses.
 */
export default function Markdown({ text, isStreaming, onRendered }: MarkdownProps) {
  const throttled = useThrottledValue(text, streamingIntervalMs)
  const deferred = useDeferredValue(isStreaming ? throttled : text, '')
  useLayoutEffect(() => {
    if (deferred !== '') onRendered()
  }, [deferred, onRendered])
  return (
    <div className={styles['text']} data-coming={isStreaming}>
      <Pieces text={deferred} />
    </div>
  )
}

const streamingIntervalMs = 100

/** A whole text, rendered without deferring. */
export const Pieces = memo(function Pieces({ text }: { text: string }) {
  return splitMarkdown(text).map((piece) => (
    <PieceView key={piece.line} kind={piece.kind} text={piece.text} />
  ))
})

/** Takes strings only, so that an unchanged piece is not rendered again. */
const PieceView = memo(function PieceView({ kind, text }: Pick<Piece, 'kind' | 'text'>) {
  if (kind === 'code') return <Code text={text} />
  if (kind === 'table') return <TableView text={text} />
  if (kind === 'plain') return <p>{text}</p>
  return <Blocks nodes={fromMarkdown(text).children} />
})

type Node = ReturnType<typeof fromMarkdown>['children'][number]

function Blocks({ nodes }: { nodes: readonly Node[] }) {
  return nodes.map((node, index) => <Block key={keyOf(node, index)} node={node} />)
}

function Block({ node }: { node: Node }): ReactNode {
  switch (node.type) {
    case 'heading':
      return (
        <p className={styles['heading']} data-level={node.depth}>
          <Inlines nodes={node.children} />
        </p>
      )
    case 'code':
      return <Code text={node.value} />
    case 'blockquote':
      return (
        <blockquote className={styles['quote']}>
          <Blocks nodes={node.children} />
        </blockquote>
      )
    case 'list': {
      const items = node.children.map((item, index) => (
        <li key={keyOf(item, index)}>
          <Blocks nodes={item.children} />
        </li>
      ))
      if (node.ordered !== true) return <ul className={styles['list']}>{items}</ul>
      return (
        <ol className={styles['list']} start={node.start ?? 1}>
          {items}
        </ol>
      )
    }
    case 'thematicBreak':
      return <hr className={styles['rule']} />
    case 'definition':
      return (
        <p>
          [{node.label ?? node.identifier}]: <SafeLink url={node.url}>{node.url}</SafeLink>
        </p>
      )
    case 'paragraph':
      return (
        <p>
          <Inlines nodes={node.children} />
        </p>
      )
    default:
      return (
        <p>
          <Inline node={node} />
        </p>
      )
  }
}

function Inlines({ nodes }: { nodes: readonly Node[] }) {
  return nodes.map((node, index) => <Inline key={keyOf(node, index)} node={node} />)
}

function Inline({ node }: { node: Node }): ReactNode {
  switch (node.type) {
    case 'strong':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      )
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'break':
      return <br />
    case 'link':
      return (
        <SafeLink url={node.url}>
          <Inlines nodes={node.children} />
        </SafeLink>
      )
    case 'image':
      return <SafeLink url={node.url}>{node.alt || node.url}</SafeLink>
    case 'imageReference':
      return node.alt
    default:
      if ('children' in node) return <Inlines nodes={node.children} />
      return 'value' in node ? node.value : null
  }
}

function keyOf(node: Node, index: number): number {
  return node.position?.start.offset ?? index
}

function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return children
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

function Code({ text }: { text: string }) {
  return (
    // A long line scrolls, and a scrolling region must be reachable by keyboard.
    <pre className={styles['code']} tabIndex={0} role="region" aria-label="Code">
      {text}
    </pre>
  )
}

const maxTableMarkers = 400

function TableView({ text }: { text: string }) {
  const [header = '', delimiters = '', ...rows] = text.split('\n')
  const titles = cellsOf(header)
  const alignments = cellsOf(delimiters).map(alignmentOf)
  const isPlain = countMarkers(text) - rows.length > maxTableMarkers
  return (
    <div className={styles['table']} tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {place(titles).map(({ at, text: title }, column) => (
              <th key={at} scope="col" data-align={alignments[column]}>
                <Cell text={title} isPlain={isPlain} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {place(rows).map(({ at, text: row }) => (
            <Row key={at} text={row} alignments={alignments} isPlain={isPlain} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly text: string
  readonly alignments: readonly string[]
  readonly isPlain: boolean
}

/** One cell replaces all missing ones: many columns times many rows would be too many elements. */
function Row({ text, alignments, isPlain }: RowProps) {
  const cells = cellsOf(text).slice(0, alignments.length)
  const missing = alignments.length - cells.length
  return (
    <tr>
      {place(cells).map(({ at, text: cell }, column) => (
        <td key={at} data-align={alignments[column]}>
          <Cell text={cell} isPlain={isPlain} />
        </td>
      ))}
      {missing === 0 ? null : <td colSpan={missing} />}
    </tr>
  )
}

function Cell({ text, isPlain }: { text: string; isPlain: boolean }) {
  if (isPlain || !hasMarker.test(text) || !canParse(text)) return text
  const [first, ...others] = fromMarkdown(text).children
  return first?.type === 'paragraph' && others.length === 0 ? <Inlines nodes={first.children} /> : text
}

/** Texts with their offsets, which stay the same while the text streams. */
function place(texts: readonly string[]): { readonly at: number; readonly text: string }[] {
  let end = 0
  return texts.map((text) => {
    const at = end
    end += text.length + 1
    return { at, text }
  })
}

function alignmentOf(delimiter: string): 'left' | 'center' | 'right' {
  if (!delimiter.endsWith(':')) return 'left'
  return delimiter.startsWith(':') ? 'center' : 'right'
}

/** The cells of a row. An outer pipe on either side opens no further cell; `\|` is a pipe within a cell. */
function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** A part of a text that can be rendered by itself. */
interface Piece {
  /** The line the piece starts in. */
  readonly line: number
  /** `markdown` is parsed; `plain` would take the parser too long. */
  readonly kind: 'markdown' | 'code' | 'table' | 'plain'
  readonly text: string
}

const maxPieceLength = 4000
const maxPieceMarkers = 150
/** A text with more markers is shown as plain text from that line on. */
const maxMarkers = 10_000
/** A list of this length is cut before its next item. */
const listCutLength = 1000
const listCutMarkers = 30

const hasMarker = /[*_[\]<`&\\]/
const marker = /[*_[\]<`&\\\n]/g
const deepNesting = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){7}/m
const openFence = /^( {0,3})(`{3,}|~{3,})(.*)$/
const listItem = /^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** Splits a text, complete or still streaming, between its blocks. A list is one piece, and is cut only when it is long. */
export function splitMarkdown(source: string): readonly Piece[] {
  const lines = source.replaceAll(/\r\n?/g, '\n').split('\n')
  const pieces: Piece[] = []
  let markersLeft = maxMarkers
  let start = 0
  let at = 0
  const textOf = (from: number, to: number) => lines.slice(from, to).join('\n')

  /** Ends the piece for the parser before the current line. */
  function flush(): void {
    // Blank lines around a piece come and go while it streams.
    const text = textOf(start, at)
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd()
    if (text === '') return
    const markers = countMarkers(text)
    const isSimple = canParse(text)
    if (isSimple) markersLeft -= markers
    pieces.push({ line: start, kind: isSimple && markersLeft >= 0 ? 'markdown' : 'plain', text })
  }

  let isList = false
  let isAfterBlank = true
  let length = 0
  let markers = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const isItem = listItem.test(line)
    const isCut = isList && isItem && (length > listCutLength || markers > listCutMarkers)
    if (isCut || (isAfterBlank && /^\S/.test(line) && !(isList && isItem))) {
      flush()
      start = at
      isList = false
      length = 0
      markers = 0
    }
    isList ||= isItem
    isAfterBlank = line.trim() === ''
    length += line.length
    markers += countMarkers(line) + 1
    const [, indent = '', fence, info = ''] = openFence.exec(line) ?? []
    if (fence !== undefined && !(fence.startsWith('`') && info.includes('`'))) {
      const end = findFenceEnd(lines, at + 1, fence)
      if (indent === '') {
        flush()
        pieces.push({ line: at, kind: 'code', text: textOf(at + 1, end) })
        start = end + 1
        isList = false
        isAfterBlank = true
      }
      // Indented code belongs to its list item: the piece goes on after it.
      at = end + 1
    } else if (isTableStart(line, lines[at + 1])) {
      flush()
      start = at
      while (lines[at]?.includes('|') === true) at += 1
      pieces.push({ line: start, kind: 'table', text: textOf(start, at) })
      start = at
      isList = false
      isAfterBlank = true
    } else at += 1
  }
  at = lines.length
  flush()
  return pieces
}

function findFenceEnd(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim()
    if (line.startsWith(fence) && line === line.charAt(0).repeat(line.length)) return at
  }
  return lines.length
}

/** A row of titles, and below it a row of dashes with as many columns. */
function isTableStart(line: string, next: string | undefined): boolean {
  if (next === undefined || !/^ {0,3}[^\s>]/.test(line) || listItem.test(line)) return false
  if (!line.includes('|') || !next.includes('|') || !delimiterRow.test(next)) return false
  return cellsOf(line).length === cellsOf(next).length
}

/** Whether the parser is fast enough for a text. */
function canParse(text: string): boolean {
  return text.length <= maxPieceLength && countMarkers(text) <= maxPieceMarkers && !deepNesting.test(text)
}

function countMarkers(text: string): number {
  return text.match(marker)?.length ?? 0
}
