/**
 * A body is HTML where it is stored and played. People write it as text: a blank line begins a paragraph, a line break is
 * one, and words that stand out are marked as in HTML. Lists and headings stand between the paragraphs as they are.
 */

const blockStart = /^<(p|ul|ol|h3|h4|pre|blockquote)(?=[\s>])[^>]*>/i
const blankLine = /\n[^\S\n]*\n/
const bareAmpersand = /&(?!#?[a-z0-9]+;)/gi
const needlessEntity = /&amp;(?!#?[a-z0-9]+;)/gi

/** What is written in the field, as HTML. */
export function writeBody(text: string): string {
  return splitBlocks(text.replaceAll('\r\n', '\n').replace(bareAmpersand, '&amp;'))
    .map(({ html, isBlock }) =>
      isBlock ? html : `<p>${html.replaceAll(/[^\S\n]*\n[^\S\n]*/g, '<br />')}</p>`,
    )
    .join('')
}

/** HTML as it is written in the field: the other way round. */
export function readBody(html: string): string {
  return splitBlocks(html)
    .map(({ html: block }) => readParagraph(block) ?? block)
    .join('\n\n')
    .replace(needlessEntity, '&')
}

function readParagraph(block: string): string | undefined {
  const inside = /^<p>([\s\S]*)<\/p>$/i.exec(block)?.[1]?.trim()
  if (inside === undefined || inside === '') return undefined
  return inside.replaceAll(/\s+/g, ' ').replaceAll(/ ?<br ?\/?> ?/gi, '\n')
}

interface Block {
  readonly html: string
  /** It is an element of its own; what is not becomes a paragraph. */
  readonly isBlock: boolean
}

/** The parts of a body, from top to bottom. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let rest = text.trim()
  while (rest !== '') {
    const tag = blockStart.exec(rest)?.[1]
    const length = tag === undefined ? lengthOfParagraph(rest) : lengthOfElement(rest, tag.toLowerCase())
    blocks.push({ html: rest.slice(0, length).trim(), isBlock: tag !== undefined })
    rest = rest.slice(length).trim()
  }
  return blocks
}

/** Up to the next blank line, or the next line that begins with an element of its own. */
function lengthOfParagraph(text: string): number {
  const blank = blankLine.exec(text)?.index ?? text.length
  const elements = [...text.matchAll(/\n\s*(?=<)/g)]
  const next = elements.find(({ index, 0: gap }) => blockStart.test(text.slice(index + gap.length)))?.index
  return Math.min(blank, next ?? text.length)
}

/** Up to the tag that closes the element; all that follows when none does. */
function lengthOfElement(text: string, tag: string): number {
  let depth = 0
  for (const { index, 0: found } of text.matchAll(new RegExp(`</?${tag}(?=[\\s>])[^>]*>`, 'gi'))) {
    depth += found.startsWith('</') ? -1 : 1
    if (depth === 0) return index + found.length
  }
  return text.length
}
