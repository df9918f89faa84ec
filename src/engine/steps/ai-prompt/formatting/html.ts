import { setImmediate } from 'node:timers/promises'
import { type Anchors, type Block, deepest, type Inline, plainTextOf, safeUrl } from './document.ts'

/** Elements whose content is not part of the text. */
const unread = new Set(
  'script style template noscript svg math iframe object embed canvas select datalist textarea head title xmp noembed noframes'.split(
    ' ',
  ),
)
const inlineKinds: Readonly<Record<string, 'strong' | 'emphasis'>> = {
  b: 'strong',
  strong: 'strong',
  i: 'emphasis',
  em: 'emphasis',
}
const blockNames = new Set(
  (
    'address article aside blockquote body caption dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)
const maxCells = 20_000
/** Characters that are parsed before the event loop continues. */
const chunk = 16_384

interface OpenInline {
  readonly tag: string
  readonly url?: string | undefined
  readonly inside: Inline[]
}

/** An open element that contains blocks: the page, an item of a list, a quote. */
interface Place {
  readonly tag: 'page' | 'ul' | 'ol' | 'li' | 'blockquote'
  readonly blocks: Block[]
  readonly items: Block[][]
}

/**
 * Parses HTML tag by tag, without a tree, so that deeply nested or broken markup takes linear time. Unknown tags and attributes are
 * dropped; scripts and styles with their content. Throws when the signal aborts.
 */
export async function readHtml(source: string, signal?: AbortSignal): Promise<readonly Block[]> {
  const { Token, Tokenizer, TokenizerMode } = await import('parse5')
  const builder = createBuilder()
  const raw = new Map([
    ['script', TokenizerMode.SCRIPT_DATA],
    ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map(
      (name) => [name, TokenizerMode.RAWTEXT] as const,
    ),
    ...['title', 'textarea'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ])
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag(token) {
        tokenizer.state = raw.get(token.tagName) ?? tokenizer.state
        builder.open(token.tagName, (name) => Token.getTokenAttr(token, name) ?? '')
        if (token.selfClosing && (token.tagName === 'svg' || token.tagName === 'math'))
          builder.close(token.tagName)
      },
      onEndTag: ({ tagName }) => builder.close(tagName),
      onCharacter: ({ chars }) => builder.text(chars),
      onWhitespaceCharacter: ({ chars }) => builder.text(chars),
      onNullCharacter: () => {},
      onDoctype: () => {},
      onComment: () => {},
      onEof: () => {},
    },
  )
  for (let from = 0; from < source.length; from += chunk) {
    tokenizer.write(source.slice(from, from + chunk), from + chunk >= source.length)
    await setImmediate()
    signal?.throwIfAborted()
  }
  return builder.end()
}

function createBuilder() {
  const places: Place[] = [{ tag: 'page', blocks: [], items: [] }]
  let inlines: OpenInline[] = [{ tag: '', inside: [] }]
  let level: number | undefined
  let code: string[] | undefined
  let table: string[][] | undefined
  let cell: string[] | undefined
  let cells = 0
  let skipped = 0

  const place = (): Place => places.at(-1) ?? { tag: 'page', blocks: [], items: [] }
  const line = (): Inline[] => (inlines.at(-1) ?? { inside: [] }).inside

  function closeInline(tag: string): void {
    if (!inlines.some((open) => open.tag === tag)) return
    for (let open = inlines.pop(); open !== undefined; open = inlines.pop()) {
      line().push(wrap(open))
      if (open.tag === tag) return
    }
  }

  /** Ends the paragraph or heading that is open. */
  function endLine(): void {
    while (inlines.length > 1) closeInline(inlines.at(-1)?.tag ?? '')
    const inside = line()
    inlines = [{ tag: '', inside: [] }]
    const hasText = inside.some((part) => part.kind !== 'text' || part.text.trim() !== '')
    if (hasText && cell !== undefined) cell.push(plainTextOf(inside).replaceAll(/\s+/g, ' ').trim())
    else if (hasText) {
      place().blocks.push(
        level === undefined ? { kind: 'paragraph', inside } : { kind: 'heading', level, inside },
      )
    }
    level = undefined
  }

  function endCell(): void {
    if (cell === undefined) return
    cells += 1
    if (cells <= maxCells) table?.at(-1)?.push(cell.join(' '))
    cell = undefined
  }

  function openPlace(tag: Place['tag']): void {
    if (places.length <= deepest) places.push({ tag, blocks: [], items: [] })
  }

  /** Closes a container and the unclosed containers inside it. */
  function closePlace(tag: string): void {
    if (!places.some((open, index) => index > 0 && open.tag === tag)) return
    for (;;) {
      const closed = places.pop()
      if (closed === undefined) return
      const outer = place()
      if (closed.tag === 'li') outer.items.push(closed.blocks)
      else if (closed.tag === 'blockquote') outer.blocks.push({ kind: 'quote', blocks: closed.blocks })
      else if (closed.items.length > 0 || closed.blocks.length > 0) {
        const items = closed.blocks.length > 0 ? [...closed.items, closed.blocks] : closed.items
        outer.blocks.push({ kind: 'list', first: closed.tag === 'ol' ? 1 : undefined, items })
      }
      if (closed.tag === tag) return
    }
  }

  function endTable(): void {
    endCell()
    const [header = [], ...rows] = (table ?? []).filter((row) => row.length > 0)
    table = undefined
    if (header.length === 0) return
    place().blocks.push({
      kind: 'table',
      header,
      rows: rows.map((row) => header.map((_, column) => row[column] ?? '')),
    })
  }

  return {
    open(tag: string, attribute: (name: string) => string) {
      if (unread.has(tag)) skipped += 1
      if (skipped > 0) return
      if (blockNames.has(tag)) endLine()
      if (tag === 'td' || tag === 'th' || tag === 'tr') endCell()
      if (/^h[1-6]$/.test(tag)) level = Number(tag[1])
      else if (tag === 'li') {
        if (place().tag === 'li') closePlace('li')
        openPlace('li')
      } else if (tag === 'ul' || tag === 'ol' || tag === 'blockquote') openPlace(tag)
      else if (tag === 'pre') code = []
      else if (tag === 'hr') place().blocks.push({ kind: 'rule' })
      else if (tag === 'br') line().push({ kind: 'break' })
      else if (tag === 'table') table ??= []
      else if (tag === 'tr') table?.push([])
      else if ((tag === 'td' || tag === 'th') && table !== undefined) cell = []
      else if (tag === 'img') {
        const [url, alt] = [safeUrl(attribute('src')), attribute('alt')]
        line().push(url === undefined ? { kind: 'text', text: alt } : { kind: 'image', url, alt })
      } else if (tag === 'a' || tag === 'code' || Object.hasOwn(inlineKinds, tag)) {
        if (inlines.length < deepest) inlines.push({ tag, url: safeUrl(attribute('href')), inside: [] })
      }
    },
    close(tag: string) {
      if (unread.has(tag)) {
        skipped = Math.max(0, skipped - 1)
        return
      }
      if (skipped > 0) return
      if (tag === 'pre' && code !== undefined) {
        place().blocks.push({ kind: 'code', language: '', text: code.join('').replace(/^\n/, '').trimEnd() })
        code = undefined
      } else if (blockNames.has(tag)) endLine()
      else closeInline(tag)
      if (tag === 'td' || tag === 'th' || tag === 'tr') endCell()
      if (tag === 'table') endTable()
      if (tag === 'li' || tag === 'ul' || tag === 'ol' || tag === 'blockquote') closePlace(tag)
    },
    text(text: string) {
      if (skipped > 0) return
      if (code !== undefined) code.push(text)
      else line().push({ kind: 'text', text: text.replaceAll(/\s+/g, ' ') })
    },
    end(): readonly Block[] {
      endLine()
      if (table !== undefined) endTable()
      while (places.length > 1) closePlace(places.at(-1)?.tag ?? '')
      return places[0]?.blocks ?? []
    },
  }
}

function wrap({ tag, url, inside }: OpenInline): Inline {
  if (tag === 'code') return { kind: 'code', text: plainTextOf(inside) }
  if (tag === 'a' && url !== undefined) return { kind: 'link', url, inside }
  const kind = inlineKinds[tag]
  return kind === undefined ? { kind: 'text', text: plainTextOf(inside) } : { kind, inside }
}

/** Writes the document as HTML. All tags are generated here, none is copied from the text. */
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

/** The first line of an item is written without a paragraph. */
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
