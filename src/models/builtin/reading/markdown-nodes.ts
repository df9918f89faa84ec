import type { fromMarkdown } from 'mdast-util-from-markdown'
import type { DocumentBuilder } from './document-builder.ts'
import type { HtmlListener, HtmlTagReader } from './html-tags.ts'
import { readHtmlPiece } from './read-html.ts'

type MarkdownTree = ReturnType<typeof fromMarkdown>
type MarkdownNode = MarkdownTree['children'][number]
type BlockKind = 'paragraph' | 'item'

export interface MarkdownNodes {
  /** Adds the blocks of a piece to the document. With glue, its first block continues the previous block. */
  read(tree: MarkdownTree, urls: ReadonlyMap<string, string>, glue: '' | ' ' | undefined): void
}

const bareUrl = /\bhttps?:\/\/[^\s<>()[\]"']+/g

/** Converts parsed Markdown to parts of a document. `tags` is needed only for a source with HTML. */
export function createMarkdownNodes(
  builder: DocumentBuilder,
  tags: HtmlTagReader | undefined,
): MarkdownNodes {
  let urls: ReadonlyMap<string, string> = new Map()
  let last: 'paragraph' | 'list' | 'table' | undefined

  function readBlocks(nodes: readonly MarkdownNode[], kind: BlockKind, firstGlue?: '' | ' '): void {
    let glue = firstGlue
    for (const node of nodes) {
      readBlock(node, kind, glue)
      glue = undefined
    }
  }

  function readBlock(node: MarkdownNode, kind: BlockKind, glue: '' | ' ' | undefined): void {
    if (node.type === 'heading') {
      builder.heading(node.depth, inlineText(node.children))
      last = undefined
    } else if (node.type === 'paragraph') readParagraph(inlineText(node.children), kind, glue)
    else if (node.type === 'list') {
      if (glue === undefined || last !== 'list') builder.count('lists')
      for (const { children } of node.children) readBlocks(children, 'item')
      last = 'list'
    } else if (node.type === 'blockquote') readBlocks(node.children, kind)
    else if (node.type === 'code') {
      builder.count('codeBlocks')
      last = undefined
    } else if (node.type === 'html') {
      if (tags !== undefined) readHtmlPiece(node.value, tags, builder)
      last = undefined
    }
  }

  function readParagraph(text: string, kind: BlockKind, glue: '' | ' ' | undefined): void {
    const table = findPipeTable(text)
    if (table !== undefined) {
      builder.passage(kind, table.before)
      builder.count('tables')
      for (const cell of table.cells) builder.passage('cell', cell)
      last = 'table'
    } else if (glue !== undefined && last === 'table') {
      for (const cell of text.split('\n').flatMap(cellsOf)) builder.passage('cell', cell)
    } else if (glue !== undefined && last !== undefined) builder.extend(text, glue)
    else {
      builder.passage(kind, kind === 'item' ? text.replace(/^\[[ xX]\]\s/, '') : text)
      last = 'paragraph'
    }
  }

  /** Returns the text of inline nodes and collects their links and images. */
  function inlineText(nodes: readonly MarkdownNode[]): string {
    const line = { text: '', link: undefined as { url: string; from: number } | undefined }
    const listener: HtmlListener = {
      open(name, attribute) {
        const url = attribute('href')
        if (name === 'a' && url !== null) line.link = { url, from: line.text.length }
        if (name === 'img') builder.image({ alt: attribute('alt'), url: attribute('src') ?? '' })
        if (name === 'br') line.text += '\n'
      },
      close(name) {
        if (name !== 'a' || line.link === undefined) return
        builder.link({ url: line.link.url, text: line.text.slice(line.link.from) })
        line.link = undefined
      },
      text: () => {},
      doctype: () => {},
    }
    for (const node of nodes) {
      if (node.type === 'html') tags?.(listener).write(node.value, true)
      else line.text += textOf(node)
    }
    return line.text
  }

  function textOf(node: MarkdownNode): string {
    switch (node.type) {
      case 'text':
        for (const [url] of node.value.matchAll(bareUrl))
          builder.link({ text: url, url: url.replace(/[.,;:!?]+$/, '') })
        return node.value
      case 'inlineCode':
        return node.value
      case 'break':
        return '\n'
      case 'link':
        return linkText(node.children, node.url)
      case 'linkReference':
        return linkText(node.children, urls.get(node.identifier) ?? '')
      case 'image':
        builder.image({ alt: node.alt || null, url: node.url })
        return ''
      case 'imageReference':
        builder.image({ alt: node.alt || null, url: urls.get(node.identifier) ?? '' })
        return ''
      default:
        return 'children' in node ? inlineText(node.children) : ''
    }
  }

  function linkText(children: readonly MarkdownNode[], url: string): string {
    const autolink = children.length === 1 && children[0]?.type === 'text' && children[0].value === url
    const text = autolink ? url : inlineText(children)
    const alts = children.flatMap((child) => (child.type === 'image' && child.alt ? [child.alt] : []))
    builder.link({ url, text: text.trim() === '' ? alts.join(' ') : text })
    return text
  }

  return {
    read(tree, definedUrls, glue) {
      urls = definedUrls
      readBlocks(tree.children, 'paragraph', glue)
    },
  }
}

/** A pipe table in a paragraph, which plain Markdown does not support. */
interface PipeTable {
  readonly before: string
  readonly cells: readonly string[]
}

const delimiterRow = /^\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

/** Finds a table in a paragraph: a header row and below it a delimiter row with as many columns. */
function findPipeTable(paragraph: string): PipeTable | undefined {
  const lines = paragraph.split('\n').map((line) => line.trim())
  const at = lines.findIndex(
    (line, index) =>
      index > 0 && delimiterRow.test(line) && cellsOf(line).length === cellsOf(lines[index - 1] ?? '').length,
  )
  if (at < 0) return undefined
  const rows = [lines[at - 1] ?? '', ...lines.slice(at + 1)]
  return {
    before: lines.slice(0, at - 1).join(' '),
    cells: rows.flatMap(cellsOf).filter((cell) => cell !== ''),
  }
}

/** The cells of a row, without its outer pipes. */
function cellsOf(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())
}
