import { longestLine, type MarkdownLine, markdownLines } from './markdown-lines.ts'

/** A part of a Markdown source that can be parsed by itself. */
export interface MarkdownPiece {
  readonly text: string
  /** Undefined when it begins with a block of its own; else what stood where the block before was cut. */
  readonly glue: '' | ' ' | undefined
  readonly markers: number
}

/** From here on a piece ends as soon as it can do so well; at `longestLine` it ends anyway. */
const enough = { chars: 2048, markers: 128 }

const heading = /^#{1,6}\s/
const item = /^(?:[-+*]|\d{1,9}[.)])\s/
const htmlUpTo: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>])/i, /<\/(?:script|pre|style|textarea)>/i],
]

/**
 * Cuts a source into small pieces, for the parser needs far more than twice the time for twice the blocks. A piece ends
 *
 * | before                               | once it has | what follows                      |
 * |--------------------------------------|-------------|-----------------------------------|
 * | a heading                            | enough      | is a block of its own             |
 * | a paragraph, after an empty line     | enough      | is a block of its own             |
 * | an item of a list                    | enough      | goes on with the list             |
 * | anything                             | no room     | goes on with the block            |
 */
export function* markdownPieces(source: string): Generator<MarkdownPiece, void, void> {
  let text = ''
  let markers = 0
  let glue: MarkdownPiece['glue']
  let afterBlank = true
  let htmlEnd: RegExp | undefined

  for (const line of markdownLines(source)) {
    const hasEnough = text.length > enough.chars || markers > enough.markers
    const hasNoRoom =
      text.length + line.text.length > longestLine.chars || markers + line.markers > longestLine.markers
    const cut =
      hasEnough && htmlEnd === undefined && line.glue === undefined ? goodCut(line, afterBlank) : undefined
    if (text !== '' && (cut !== undefined || hasNoRoom)) {
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
