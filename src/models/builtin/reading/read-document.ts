import { createDocumentBuilder } from './document-builder.ts'
import { takeFrontMatter } from './front-matter.ts'
import { loadHtmlTagReader } from './html-tags.ts'
import type { Pacer } from './pacer.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import type { TextDocument } from './text-document.ts'

/** Takes a text apart: HTML when it looks like that, else Markdown, which plain text is too. */
export async function readDocument(
  source: string,
  { format = formatOf(source), pacer }: { format?: TextDocument['format'] | undefined; pacer: Pacer },
): Promise<TextDocument> {
  const builder = createDocumentBuilder(format)
  if (format === 'html') {
    await readHtml(source, { tags: await loadHtmlTagReader(), builder, pacer })
    return builder.build()
  }
  const { title, description, body } = takeFrontMatter(
    source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'),
  )
  if (title !== undefined) builder.title(title)
  if (description !== undefined) builder.description(description)
  await readMarkdown(body, { builder, pacer })
  return builder.build()
}

const pageStart = /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i
const tagStart = /^\s*<(?:!--|[a-z][a-z0-9-]*[\s/>])/i
const blockEnd = /<\/(?:p|div|h[1-6]|ul|ol|table|section|article|main|header|blockquote)>/i
const markdownHeading = /^#{1,6} /m

/** A page is HTML. A piece that begins with a tag is too, unless there are headings as only Markdown has them. */
function formatOf(source: string): TextDocument['format'] {
  const start = source.slice(0, 4096)
  if (pageStart.test(start)) return 'html'
  return tagStart.test(start) && blockEnd.test(source) && !markdownHeading.test(source) ? 'html' : 'markdown'
}
