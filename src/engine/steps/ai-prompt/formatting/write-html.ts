import type { Anchors } from './anchors.ts'
import type { Block, Inline } from './document.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** The document as HTML. Every tag is written here, so none can come from the text. */
export function writeHtml(blocks: readonly Block[], anchors: Anchors): string {
  return blocks.map((block) => writeBlock(block, anchors)).join('\n')
}

function writeBlock(block: Block, anchors: Anchors): string {
  switch (block.kind) {
    case 'heading': {
      const anchor = anchors.get(block)
      const id = anchor === undefined ? '' : ` id="${escapeHtml(anchor)}"`
      return `<h${block.level}${id}>${writeLine(block.inside)}</h${block.level}>`
    }
    case 'paragraph':
      return `<p>${writeLine(block.inside)}</p>`
    case 'code': {
      const language = block.language === '' ? '' : ` class="language-${escapeHtml(block.language)}"`
      return `<pre><code${language}>${escapeHtml(block.text)}</code></pre>`
    }
    case 'quote':
      return `<blockquote>\n${writeHtml(block.blocks, anchors)}\n</blockquote>`
    case 'list': {
      const items = block.items.map((item) => `<li>${writeItem(item, anchors)}</li>`).join('\n')
      if (block.first === undefined) return `<ul>\n${items}\n</ul>`
      return `<ol${block.first === 1 ? '' : ` start="${block.first}"`}>\n${items}\n</ol>`
    }
    case 'rule':
      return '<hr>'
    default: {
      const header = writeRow(block.header, 'th')
      const rows = block.rows.map((row) => writeRow(row, 'td')).join('\n')
      return `<table>\n<thead>\n${header}\n</thead>\n<tbody>\n${rows}\n</tbody>\n</table>`
    }
  }
}

/** An item that is one line needs no paragraph around it. */
function writeItem(item: readonly Block[], anchors: Anchors): string {
  const [first, ...rest] = item
  if (first?.kind !== 'paragraph') return writeHtml(item, anchors)
  return [writeLine(first.inside), writeHtml(rest, anchors)].filter((part) => part !== '').join('\n')
}

function writeRow(cells: readonly string[], tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
}

function writeLine(inside: readonly Inline[]): string {
  return inside
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return escapeHtml(part.text)
        case 'code':
          return `<code>${escapeHtml(part.text)}</code>`
        case 'break':
          return '<br>'
        case 'strong':
          return `<strong>${writeLine(part.inside)}</strong>`
        case 'emphasis':
          return `<em>${writeLine(part.inside)}</em>`
        case 'link':
          return `<a href="${escapeHtml(part.url)}" rel="nofollow noopener">${writeLine(part.inside)}</a>`
        default:
          return `<img src="${escapeHtml(part.url)}" alt="${escapeHtml(part.alt)}">`
      }
    })
    .join('')
}
