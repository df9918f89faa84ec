/** A piece of a line. There is no kind for markup that was not understood, so nothing of it can come out again. */
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

/** A text taken apart, in whatever format it came. */
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

/** Deeper than this, what is inside stands beside. */
export const deepest = 20

/** What is read without its markup. */
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

/** The address of a link that does nothing but lead somewhere; undefined for any other. */
export function safeUrl(given: string): string | undefined {
  // What browsers leave out before they look at the scheme must not hide it from us.
  const url = given.replaceAll(/[\s\p{Cc}]+/gu, '')
  if (url === '' || url.length > maxUrlLength) return undefined
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase()
  if (scheme !== undefined) return schemes.has(scheme) && URL.canParse(url) ? url : undefined
  return url.startsWith('//') ? undefined : url
}

/** The document without any markup, for those who read it as it is. */
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

/** The lines after the first stand below it. */
export function indent(text: string, width: number): string {
  return text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`)
}
