import type { DocumentBuilder } from './document-builder.ts'
import { createHtmlListener } from './html-listener.ts'
import type { HtmlTagReader } from './html-tags.ts'
import type { Pacer } from './pacer.ts'

const chunkChars = 16 * 1024

export async function readHtml(
  source: string,
  { tags, builder, pacer }: { tags: HtmlTagReader; builder: DocumentBuilder; pacer: Pacer },
): Promise<void> {
  const listener = createHtmlListener(builder)
  const reader = tags(listener)
  for (let start = 0; start < source.length; start += chunkChars) {
    reader.write(source.slice(start, start + chunkChars), start + chunkChars >= source.length)
    if (pacer.isDue()) await pacer.rest()
  }
  listener.end()
}

/** A piece of HTML inside another text; what it holds is added to the document. */
export function readHtmlPiece(source: string, tags: HtmlTagReader, builder: DocumentBuilder): void {
  const listener = createHtmlListener(builder)
  tags(listener).write(source, true)
  listener.end()
}
