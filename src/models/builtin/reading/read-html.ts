import type { DocumentBuilder } from './document-builder.ts'
import type { HtmlListener, HtmlTagReader } from './html-tags.ts'
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

/** Adds a fragment of HTML inside another text to the document. */
export function readHtmlPiece(source: string, tags: HtmlTagReader, builder: DocumentBuilder): void {
  const listener = createHtmlListener(builder)
  tags(listener).write(source, true)
  listener.end()
}

const headings: ReadonlyMap<string, number> = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]))
/** Elements whose content is not shown or is not text. */
const ignored = new Set(
  'script style template noscript svg math iframe object canvas select datalist textarea xmp noembed noframes'.split(
    ' ',
  ),
)
const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol option p pre section summary table tbody td tfoot th thead ' +
    'tr ul'
  ).split(' '),
)

/** Converts tags to parts of a document. It uses counters instead of a stack, so that memory does not grow with nesting. */
function createHtmlListener(builder: DocumentBuilder): HtmlListener & { end(): void } {
  let buffer: string[] = []
  let link: { url: string; text: string[] } | undefined
  let title: string[] | undefined
  let level: number | undefined
  const inside = { ignored: 0, code: 0, lists: 0, cells: 0, navigation: 0 }

  function endPassage(): void {
    const text = buffer.join('')
    buffer = []
    if (level !== undefined) builder.heading(level, text)
    else if (inside.navigation === 0) {
      builder.passage(inside.cells > 0 ? 'cell' : inside.lists > 0 ? 'item' : 'paragraph', text)
    }
    level = undefined
  }

  function endLink(): void {
    if (link !== undefined) builder.link({ url: link.url, text: link.text.join('') })
    link = undefined
  }

  /** As in browsers, blocks inside a heading are part of its text. */
  function endBlock(name: string): void {
    if (blocks.has(name) && (level === undefined || headings.has(name))) endPassage()
  }

  function enterList(): void {
    builder.count('lists')
    inside.lists += 1
  }

  function leave(counter: keyof typeof inside): void {
    inside[counter] = Math.max(0, inside[counter] - 1)
  }

  const opens: Readonly<Record<string, (attribute: (name: string) => string | null) => void>> = {
    html: () => builder.isPage(),
    title() {
      title = []
    },
    meta(attribute) {
      if (attribute('name')?.toLowerCase() === 'description') builder.description(attribute('content') ?? '')
    },
    a(attribute) {
      endLink()
      const url = attribute('href')
      if (url !== null) link = { url, text: [] }
    },
    img(attribute) {
      const alt = attribute('alt')
      builder.image({ alt, url: attribute('src') ?? '' })
      link?.text.push(alt ?? '')
    },
    br: () => void buffer.push('\n'),
    pre() {
      builder.count('codeBlocks')
      inside.code += 1
    },
    ul: enterList,
    ol: enterList,
    table() {
      builder.count('tables')
      inside.cells += 1
    },
    nav() {
      inside.navigation += 1
    },
  }

  const closes: Readonly<Record<string, () => void>> = {
    title() {
      if (title !== undefined) builder.title(title.join(''))
      title = undefined
    },
    a: endLink,
    pre: () => leave('code'),
    ul: () => leave('lists'),
    ol: () => leave('lists'),
    table: () => leave('cells'),
    nav: () => leave('navigation'),
  }

  return {
    doctype: () => builder.isPage(),
    open(name, attribute) {
      if (ignored.has(name)) inside.ignored += 1
      if (inside.ignored > 0) return
      endBlock(name)
      if (Object.hasOwn(opens, name)) opens[name]?.(attribute)
      level = headings.get(name) ?? level
    },
    close(name) {
      if (ignored.has(name)) return leave('ignored')
      if (inside.ignored > 0) return
      endBlock(name)
      if (Object.hasOwn(closes, name)) closes[name]?.()
    },
    text(text) {
      if (inside.ignored > 0 || inside.code > 0) return
      if (title !== undefined) title.push(text)
      else {
        buffer.push(text)
        link?.text.push(text)
      }
    },
    end() {
      endPassage()
      endLink()
    },
  }
}
