import type { DocumentBuilder } from './document-builder.ts'
import { loadHtmlTagReader } from './html-tags.ts'
import { createMarkdownNodes } from './markdown-nodes.ts'
import { markdownPieces } from './markdown-pieces.ts'
import type { Pacer } from './pacer.ts'

/** Parsing hostile markup takes up to 40 µs a marker; this many are about what a long book has. */
const mostMarkers = 50_000

const definition = /^ {0,3}\[(?<label>[^[\]\n]{1,200})\]:[ \t]*<?(?<url>[^\s<>]{1,2000})>?/gm
const mostDefinitions = 2000

export async function readMarkdown(
  source: string,
  { builder, pacer }: { builder: DocumentBuilder; pacer: Pacer },
): Promise<void> {
  const { fromMarkdown } = await import('mdast-util-from-markdown')
  // Many texts indent the first line of a paragraph; who means code today writes a fence around it.
  const options = { extensions: [{ disable: { null: ['codeIndented'] } }] }
  const nodes = createMarkdownNodes(builder, source.includes('<') ? await loadHtmlTagReader() : undefined)
  const urls = definedUrls(source)
  let markers = 0
  for (const piece of markdownPieces(source)) {
    markers += piece.markers
    if (markers <= mostMarkers) {
      nodes.read(fromMarkdown(piece.text + definitionsFor(piece.text, urls), options), urls, piece.glue)
    } else {
      builder.isIncomplete()
      if (piece.glue === undefined)
        for (const text of piece.text.split(/\n\s*\n/)) builder.passage('paragraph', text)
      else builder.extend(piece.text, piece.glue)
    }
    if (pacer.isDue()) await pacer.rest()
  }
}

/** Where the links by name lead, wherever in the text that is said. */
function definedUrls(source: string): Map<string, string> {
  const urls = new Map<string, string>()
  for (const { groups } of source.matchAll(definition)) {
    const label = nameOf(groups?.['label'] ?? '')
    if (!urls.has(label)) urls.set(label, groups?.['url'] ?? '')
    if (urls.size === mostDefinitions) break
  }
  return urls
}

/** A link by name is one only beside its definition, which may stand in another piece. */
function definitionsFor(piece: string, urls: ReadonlyMap<string, string>): string {
  if (urls.size === 0) return ''
  const named = new Set<string>()
  for (const [, label = ''] of piece.matchAll(/\[([^[\]\n]{1,200})\]/g)) {
    if (urls.has(nameOf(label))) named.add(nameOf(label))
  }
  return [...named].map((label) => `\n\n[${label}]: <${urls.get(label)}>`).join('')
}

function nameOf(label: string): string {
  return label.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
