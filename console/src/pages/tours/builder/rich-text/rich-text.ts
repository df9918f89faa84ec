/**
 * The body of a step as a tree. HTML is read and written here without the browser's parser: trusted types refuse its use
 * with text, and this one builds nothing that could run. The platform sanitises bodies again.
 */
export type RichNode = string | RichElement

export interface RichElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly RichNode[]
}

/** Elements that stand in a line of text. */
const inlineTags = new Set(['strong', 'em', 'code', 'a', 'br'])

/** Blocks that the editor keeps as they are, with all that is in them. */
const keptTags = new Set(['blockquote', 'table', 'img', 'video', 'figure'])

const renamed: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  h1: 'h3',
  h2: 'h3',
  h5: 'h4',
  h6: 'h4',
}

/** Elements whose content is not text for readers. */
const silent = new Set(
  'script style head title template noscript iframe object textarea select svg math audio canvas'.split(' '),
)

const containers = new Set(
  'p div section article header footer main aside nav figure center dl dt dd address form fieldset body html'.split(
    ' ',
  ),
)

const voids = new Set('br img hr input meta link source wbr col area base embed param track'.split(' '))

/** Attributes are bounded, so that an unclosed quote does not make the search slow. */
const token =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(\/?)([a-z][a-z0-9-]*)((?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,500})>|[^<]+|</gi

const attribute = /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/** Deeper than any text. */
const maxDepth = 100

interface OpenElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: RichNode[]
}

/** Reads HTML as a tree, however it is nested. */
export function parseHtml(html: string): readonly RichNode[] {
  const root: OpenElement = { tag: '', attributes: {}, children: [] }
  const stack: OpenElement[] = [root]
  const top = () => stack.at(-1) ?? root

  function closeTo(tags: readonly string[], within: readonly string[] = []): void {
    for (let index = stack.length - 1; index > 0; index -= 1) {
      const { tag = '' } = stack[index] ?? {}
      if (within.includes(tag)) return
      if (!tags.includes(tag)) continue
      stack.length = index
      return
    }
  }

  for (const { 0: text, 1: closing, 2: name, 3: attributes = '' } of html.matchAll(token)) {
    if (name === undefined) {
      if (!text.startsWith('<!') && !text.startsWith('<?')) top().children.push(decode(text))
      continue
    }
    const tag = name.toLowerCase()
    if (closing === '/') {
      closeTo([tag])
      continue
    }
    if (tag === 'li') closeTo(['li'], ['ul', 'ol'])
    else if (top().tag === 'p' && !inlineTags.has(renamed[tag] ?? tag) && isBlock(tag)) stack.pop()
    const opened: OpenElement = { tag, attributes: readAttributes(attributes), children: [] }
    top().children.push(opened)
    // Deeper elements add their content to this level.
    if (!voids.has(tag) && stack.length < maxDepth) stack.push(opened)
  }
  return root.children
}

function isBlock(tag: string): boolean {
  return containers.has(tag) || keptTags.has(tag) || /^(?:ul|ol|li|pre|h[1-6])$/.test(tag)
}

/** Attributes that run code or style are left out; the platform decides about the others. */
function readAttributes(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(attribute)]
      .map(([, name = '', ...values]) => [
        name.toLowerCase(),
        decode(values.find((it) => it !== undefined) ?? ''),
      ])
      .filter(([name = '']) => !/^on|^(?:style|srcdoc|class|id)$/.test(name)),
  ) as Record<string, string>
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  copy: '©',
  reg: '®',
  trade: '™',
}

function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name] ?? whole
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code < 0xe000)
      ? String.fromCodePoint(code)
      : ''
  })
}

/** Writes blocks as the platform stores them. */
export function writeHtml(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escapeText(node)
      const { tag, attributes, children } = node
      const written = Object.entries(attributes).map(
        ([name, value]) => ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`,
      )
      const start = `<${tag}${written.join('')}`
      return voids.has(tag) ? `${start} />` : `${start}>${writeHtml(children)}</${tag}>`
    })
    .join('')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Brings content of the editor or of the clipboard into the form of a body: paragraphs, lists, headings and code, with
 * bold, italic, code and links in them. Other elements are taken off, and their text stays.
 */
export function toBlocks(nodes: readonly RichNode[]): readonly RichElement[] {
  const blocks: RichElement[] = []
  let line: RichNode[] = []

  function endLine(): void {
    const children = trimLine(line)
    line = []
    if (children.length > 0) blocks.push(element('p', children))
  }

  for (const node of nodes) {
    if (typeof node === 'string') {
      line.push(node)
      continue
    }
    const tag = renamed[node.tag] ?? node.tag
    if (silent.has(tag)) continue
    if (inlineTags.has(tag) && !hasBlock(node)) line.push(...toLine([node]))
    else if (!isBlock(tag) && !hasBlock(node)) line.push(...toLine(node.children))
    else {
      endLine()
      blocks.push(...blocksOf(tag, node))
    }
  }
  endLine()
  return blocks
}

function blocksOf(tag: string, node: RichElement): readonly RichElement[] {
  switch (tag) {
    case 'ul':
    case 'ol':
      return listOf(tag, node.children)
    case 'h3':
    case 'h4': {
      const children = trimLine(toLine(node.children))
      return children.length === 0 ? [] : [element(tag, children)]
    }
    case 'pre':
      return [element('pre', [textOf(node.children)])]
    case 'blockquote':
      return [element('blockquote', toBlocks(node.children))]
    default:
      return keptTags.has(tag) ? [node] : toBlocks(node.children)
  }
}

function listOf(tag: string, nodes: readonly RichNode[]): readonly RichElement[] {
  const items: RichElement[] = []
  for (const node of nodes) {
    if (typeof node === 'string') {
      if (node.trim() !== '') items.push(element('li', trimLine([node])))
      continue
    }
    const last = items.at(-1)
    // Browsers put a list that is moved in between the items, where it is not valid.
    if ((node.tag === 'ul' || node.tag === 'ol') && last !== undefined) {
      items[items.length - 1] = element('li', [...last.children, ...listOf(node.tag, node.children)])
    } else {
      const content = node.tag === 'li' ? node.children : [node]
      items.push(element('li', itemOf(content)))
    }
  }
  const filled = items.filter(({ children }) => children.length > 0)
  return filled.length === 0 ? [] : [element(tag, filled)]
}

/** An item has lines and lists; paragraphs in it become lines. */
function itemOf(nodes: readonly RichNode[]): readonly RichNode[] {
  return toBlocks(nodes).flatMap((block, index): readonly RichNode[] => {
    if (block.tag !== 'p') return [block]
    return index === 0 ? block.children : [element('br'), ...block.children]
  })
}

/** Text with bold, italic, code, links and line breaks only. */
function toLine(nodes: readonly RichNode[]): readonly RichNode[] {
  return nodes.flatMap((node): readonly RichNode[] => {
    if (typeof node === 'string') return [node]
    const tag = renamed[node.tag] ?? node.tag
    if (silent.has(tag)) return []
    if (tag === 'br') return [element('br')]
    const children = toLine(node.children)
    if (!inlineTags.has(tag) || children.length === 0) return children
    const { href } = node.attributes
    if (tag !== 'a') return [element(tag, children)]
    return href !== undefined && isAllowedLink(href) ? [element('a', children, { href })] : children
  })
}

/** What a body takes from the clipboard: no pictures of other sites, and no attributes but those of links. */
export function withoutMedia(nodes: readonly RichNode[]): readonly RichNode[] {
  return nodes.flatMap((node): readonly RichNode[] => {
    if (typeof node === 'string') return [node]
    if (node.tag === 'img' || node.tag === 'video') return []
    const { href } = node.attributes
    return [element(node.tag, withoutMedia(node.children), href === undefined ? {} : { href })]
  })
}

/** Links to web pages, mail addresses and pages of the same site, as the platform allows them. */
export function isAllowedLink(href: string): boolean {
  return /^(?:https?:\/\/[^\s]|mailto:[^\s]|\/(?![/\\])|#|\?|\.{1,2}\/)/i.test(href.trim())
}

function element(
  tag: string,
  children: readonly RichNode[] = [],
  attributes: RichElement['attributes'] = {},
): RichElement {
  return { tag, attributes, children }
}

function hasBlock({ children }: RichElement): boolean {
  return children.some((child) => typeof child !== 'string' && (isBlock(child.tag) || hasBlock(child)))
}

/** The text of elements without their markup. */
export function textOf(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? '\n' : textOf(node.children)))
    .join('')
}

/** A line without the space around it; empty when it has no text. Browsers end a line with a break. */
function trimLine(nodes: readonly RichNode[]): readonly RichNode[] {
  if (textOf(nodes).trim() === '') return []
  const line = nodes.map((node) => (typeof node === 'string' ? node.replaceAll(/[ \t\r\n]+/g, ' ') : node))
  while (isBlank(line[0])) line.shift()
  while (isBlank(line.at(-1))) line.pop()
  if (typeof line[0] === 'string') line[0] = line[0].replace(/^ +/, '')
  const last = line.at(-1)
  if (typeof last === 'string') line[line.length - 1] = last.replace(/ +$/, '')
  return line
}

function isBlank(node: RichNode | undefined): boolean {
  if (node === undefined) return false
  return typeof node === 'string' ? /^ *$/.test(node) : node.tag === 'br'
}
