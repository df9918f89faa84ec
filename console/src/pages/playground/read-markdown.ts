/**
 * The blocks of an answer in Markdown: the subset models write most; everything else stays a paragraph.
 *
 * An answer is parsed again with every token that arrives, and its text is untrusted, so the reader must be linear. It is
 * not micromark, which the server uses for finished texts: that took about 500 ms for 10 KB, and 38 s for 20 KB of ` *a_`.
 */
export type Block = {
  /** The line it starts in. */
  readonly line: number
} & (
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'paragraph'; readonly text: string }
)

interface ListItem {
  readonly line: number
  /** `•`, or the number of the item. */
  readonly marker: string
  /** Nesting depth; 0 is the outermost. */
  readonly depth: number
  readonly text: string
}

const fence = /^\s{0,3}(?:```|~~~)/
const heading = /^(#{1,6})\s+(\S.*)$/
const quote = /^>\s?(.*)$/
const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)$/
const tableRow = /^\s*\|.*\|\s*$/
const deepest = 3

/** Reads an answer line by line, complete or still streaming. */
export function readMarkdown(answer: string): readonly Block[] {
  const lines = answer.split('\n')
  const blocks: Block[] = []
  let place = 0

  function takeWhile(wanted: (line: string) => boolean): string[] {
    const start = place
    while (place < lines.length && wanted(lines[place] ?? '')) place += 1
    return lines.slice(start, place)
  }

  while (place < lines.length) {
    const line = place
    const text = lines[place] ?? ''
    const title = heading.exec(text)
    if (text.trim() === '') place += 1
    else if (fence.test(text)) {
      place += 1
      const code = takeWhile((it) => !fence.test(it))
      place += 1
      blocks.push({ line, kind: 'code', text: code.join('\n') })
    } else if (title !== null) {
      place += 1
      blocks.push({ line, kind: 'heading', level: title[1]?.length ?? 1, text: title[2] ?? '' })
    } else if (quote.test(text)) {
      const quoted = takeWhile((it) => quote.test(it)).map((it) => quote.exec(it)?.[1] ?? '')
      blocks.push({ line, kind: 'quote', text: quoted.join('\n').trim() })
    } else if (item.test(text)) {
      const items = takeWhile((it) => item.test(it) || /^\s+\S/.test(it))
      blocks.push({ line, kind: 'list', items: readItems(items, line) })
    } else if (tableRow.test(text)) {
      blocks.push({ line, kind: 'code', text: takeWhile((it) => tableRow.test(it)).join('\n') })
    } else {
      blocks.push({ line, kind: 'paragraph', text: takeWhile(isParagraph).join('\n') })
    }
  }
  return blocks
}

function isParagraph(line: string): boolean {
  return line.trim() !== '' && ![fence, heading, quote, item, tableRow].some((pattern) => pattern.test(line))
}

function readItems(lines: readonly string[], first: number): ListItem[] {
  const items: ListItem[] = []
  for (const [index, written] of lines.entries()) {
    const [, indent = '', number, text] = item.exec(written) ?? []
    const last = items.at(-1)
    if (text !== undefined) {
      const marker = number === undefined ? '•' : `${number}.`
      const line = first + index
      items.push({ line, marker, depth: Math.min(deepest, Math.floor(indent.length / 2)), text })
    } else if (last !== undefined) {
      items[items.length - 1] = { ...last, text: `${last.text}\n${written.trim()}` }
    }
  }
  return items
}

/** A part of a line with its format. */
export interface Span {
  /** The start offset. */
  readonly at: number
  readonly kind: 'text' | 'code' | 'strong' | 'emphasis'
  readonly text: string
}

// Each alternative looks only for its own end, so that every text takes linear time.
const marked = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<!\w)_([^_\n]+)_(?!\w)|(?<![\w*])\*([^*\s][^*\n]*)\*/g

export function readSpans(text: string): readonly Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(marked)) {
    const [whole, code, strong, underlined, starred] = match
    if (match.index > end) spans.push({ at: end, kind: 'text', text: text.slice(end, match.index) })
    const at = match.index
    if (code !== undefined) spans.push({ at, kind: 'code', text: code })
    else if (strong !== undefined) spans.push({ at, kind: 'strong', text: strong })
    else spans.push({ at, kind: 'emphasis', text: underlined ?? starred ?? '' })
    end = match.index + whole.length
  }
  if (end < text.length) spans.push({ at: end, kind: 'text', text: text.slice(end) })
  return spans
}
