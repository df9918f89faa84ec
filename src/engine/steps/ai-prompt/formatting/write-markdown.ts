import type { Block, Inline } from './document.ts'
import { indent } from './write-plain-text.ts'

/** The document as Markdown, with tables as most readers of it know them. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks
    .map(writeBlock)
    .filter((text) => text !== '')
    .join('\n\n')
}

function writeBlock(block: Block): string {
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
          return `${sign}${indent(item.map(writeBlock).join('\n'), sign.length)}`
        })
        .join('\n')
    }
    case 'rule':
      return '---'
    default:
      return [block.header, block.header.map(() => '---'), ...block.rows].map(writeRow).join('\n')
  }
}

/** What would begin a block of its own at the start of a line. */
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

/** Longer than any that stands inside. */
function fenceAround(text: string, least: number): string {
  const longest = Math.max(least - 1, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest + 1)
}

/** Two pieces of code without anything between them would be read as one that goes on. */
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

/** A sign that means something is written so that it means itself; an underscore inside a word means itself anyway. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*[\]<]|\b_(?!\w)|(?<!\w)_|&(?=#|\w)/g, '\\$&')
}

function writeUrl(url: string): string {
  return url.replaceAll(/[()<>\\]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
}
