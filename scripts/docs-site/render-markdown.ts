import createMarkdown, { type MarkdownIt, type Token } from 'markdown-it'

/** A part of a page, from a heading to the next. */
interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
  /** The text below it, for the search. */
  readonly body: string
}

export interface RenderedPage {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** Where a link or a picture of the source leads on the site; undefined renders a link as its text. */
export type LinkResolver = (target: string) => string | undefined

/**
 * Renders Markdown as HTML. Headings get the anchors that GitHub gives them, so that links work in both places; tables and code can be scrolled with the
 * keyboard.
 */
export function renderMarkdown(source: string, resolveLink: LinkResolver): RenderedPage {
  const markdown = createMarkdown({ html: true })
  const tokens = markdown.parse(source, {})
  const headings = anchorHeadings(tokens)
  /** Links whose target is not on the site. */
  const unlinked = new Set<Token>()
  for (const token of tokens)
    for (const inner of [token, ...(token.children ?? [])]) moveLinks(inner, resolveLink, unlinked)
  const { rules } = markdown.renderer
  rules['table_open'] = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
  rules['table_close'] = () => '</table></div>'
  // The first cell of a table that compares things is empty: that is no header.
  rules['th_open'] = (all, index) => (all[index + 1]?.content === '' ? '<td>' : '<th>')
  rules['th_close'] = (all, index) => (all[index - 1]?.content === '' ? '</td>' : '</th>')
  rules['fence'] = (all, index) => renderCode(all[index], markdown)
  rules['heading_open'] = (all, index) => `<${all[index]?.tag} id="${all[index]?.attrGet('id')}">`
  rules['heading_close'] = (all, index) => {
    const id = all[index - 2]?.attrGet('id') ?? ''
    const title = markdown.utils.escapeHtml(plainText(all[index - 1]))
    return ` <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></${all[index]?.tag}>`
  }
  return { html: markdown.renderer.render(dropLinks(tokens, unlinked), markdown.options, {}), headings }
}

function renderCode(token: Token | undefined, { utils }: MarkdownIt): string {
  const [language = ''] = (token?.info ?? '').split(' ')
  const label = language === '' ? 'Output' : `Code, ${language}`
  return `<div class="code"><pre tabindex="0" role="group" aria-label="${utils.escapeHtml(label)}"><code>${utils.escapeHtml(token?.content ?? '')}</code></pre></div>\n`
}

function anchorHeadings(tokens: readonly Token[]): readonly Heading[] {
  const headings: { level: number; id: string; text: string; body: string }[] = []
  const taken = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1])
      const slug = slugOf(text)
      const before = taken.get(slug) ?? 0
      taken.set(slug, before + 1)
      const id = before === 0 ? slug : `${slug}-${before}`
      token.attrSet('id', id)
      headings.push({ level: Number(token.tag.slice(1)), id, text, body: '' })
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const current = headings.at(-1)
      if (current !== undefined) current.body += `${plainText(token)} `
    }
  }
  return headings
}

/** The text of a token, without marks. */
function plainText(token: Token | undefined): string {
  if (token === undefined || token.type.startsWith('html')) return ''
  return token.children === null ? token.content : token.children.map(plainText).join('')
}

/** The anchor of a heading, as GitHub makes it. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function moveLinks(token: Token, resolveLink: LinkResolver, unlinked: Set<Token>): void {
  const resolve = (name: string) => resolveLink(String(token.attrGet(name) ?? ''))
  if (token.type === 'link_open') {
    const target = resolve('href')
    if (target === undefined) unlinked.add(token)
    else token.attrSet('href', target)
  }
  if (token.type === 'image') token.attrSet('src', resolve('src') ?? '')
  if (token.type.startsWith('html'))
    token.content = token.content.replaceAll(
      /\b(src|srcset|href)="([^"]+)"/g,
      (_, name: string, target: string) => `${name}="${resolveLink(target) ?? ''}"`,
    )
}

/** Removes the marks of links that lead nowhere on the site; their text stays. */
function dropLinks(tokens: Token[], unlinked: ReadonlySet<Token>): Token[] {
  for (const token of tokens) {
    if (token.children === null) continue
    let inside = false
    token.children = token.children.filter((child) => {
      if (unlinked.has(child)) inside = true
      const dropped = inside && (child.type === 'link_open' || child.type === 'link_close')
      if (dropped && child.type === 'link_close') inside = false
      return !dropped
    })
  }
  return tokens
}
