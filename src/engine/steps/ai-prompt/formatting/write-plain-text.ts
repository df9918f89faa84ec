import { type Block, plainTextOf } from './document.ts'

/** The document without any markup, for those who read it as it is. */
export function writePlainText(blocks: readonly Block[]): string {
  return blocks
    .map(writeBlock)
    .filter((text) => text !== '')
    .join('\n\n')
}

function writeBlock(block: Block): string {
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
          return `${sign}${indent(item.map(writeBlock).join('\n'), sign.length)}`
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
