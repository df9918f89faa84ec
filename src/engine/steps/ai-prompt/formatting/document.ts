/** A part of a line. Unknown markup has no kind, so it cannot reach the output. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'image'; readonly url: string; readonly alt: string }

export interface Table {
  readonly kind: 'table'
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A block of a parsed text, the same for all formats. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list'
      readonly first: number | undefined
      readonly items: readonly (readonly Block[])[]
    }
  | { readonly kind: 'rule' }
  | Table

/** The anchors of headings, for links from the table of contents. */
export type Anchors = ReadonlyMap<Block, string>

/** Content that is nested deeper is moved up to this level. */
export const deepest = 20

/** The text of a line without markup. */
export function plainTextOf(inside: readonly Inline[]): string {
  return inside
    .map((part) => {
      if ('text' in part) return part.text
      if ('inside' in part) return plainTextOf(part.inside)
      return part.kind === 'image' ? part.alt : '\n'
    })
    .join('')
}

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])
const maxUrlLength = 2000

/** A URL that is safe to link to; undefined for others, such as `javascript:`. */
export function safeUrl(given: string): string | undefined {
  // Browsers ignore white space and control characters in a scheme, so they are removed before the check.
  const url = given.replaceAll(/[\s\p{Cc}]+/gu, '')
  if (url === '' || url.length > maxUrlLength) return undefined
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase()
  if (scheme !== undefined) return schemes.has(scheme) && URL.canParse(url) ? url : undefined
  return url.startsWith('//') ? undefined : url
}

/** Writes the document as plain text. */
export function writePlainText(blocks: readonly Block[]): string {
  return blocks
    .map(writePlainBlock)
    .filter((text) => text !== '')
    .join('\n\n')
}

function writePlainBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainTextOf(block.inside).trim()
    case 'code':
      return block.text
    case 'quote':
      return writePlainText(block.blocks)
    case 'list': {
      const { first, items } = block
      return items
        .map((item, index) => {
          const sign = first === undefined ? '- ' : `${first + index}. `
          return `${sign}${indent(item.map(writePlainBlock).join('\n'), sign.length)}`
        })
        .join('\n')
    }
    case 'rule':
      return ''
    default:
      return [block.header, ...block.rows].map((row) => row.join('\t')).join('\n')
  }
}

/** Indents all lines but the first. */
export function indent(text: string, width: number): string {
  return text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`)
}
