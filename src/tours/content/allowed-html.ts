/** The HTML elements allowed in the body of a step. The server removes all others, and so does the player. */
export const allowedTags = [
  'p',
  'br',
  'strong',
  'em',
  'b',
  'i',
  'code',
  'pre',
  'ul',
  'ol',
  'li',
  'a',
  'h3',
  'h4',
  'blockquote',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'img',
  'video',
] as const

/** The allowed attributes of each element. The player adds the controls of a video; no video starts by itself. */
export const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  video: ['src', 'poster', 'width', 'height'],
}

/** Headings of other levels are kept as one of the two levels of a step. */
export const renamedTags = { h1: 'h3', h2: 'h3', h5: 'h4', h6: 'h4' } as const

/** The allowed schemes of links; relative links to the page's own site are allowed as well. */
const linkSchemes = new Set(['http:', 'https:', 'mailto:'])

/** Placeholder for the site that the tour is played on. */
const placeholderSite = 'https://site.invalid'

/**
 * Whether a link is allowed. Browsers read `/\host` and `//host` as another site, so these are no relative links, and
 * the meaning of `https:page` depends on the page.
 */
export function isAllowedLink(href: string): boolean {
  if (!URL.canParse(href, placeholderSite)) return false
  const { protocol, origin } = new URL(href, placeholderSite)
  if (!linkSchemes.has(protocol)) return false
  const hasScheme = /^[a-z][a-z\d+.-]*:/i.test(href)
  return hasScheme ? /^(?:https?:\/\/|mailto:)/i.test(href) : origin === placeholderSite
}

/** Whether an image or a video is of the site itself or of one of these origins; without a list, of any. */
export function isAllowedMedia(source: string, origins?: readonly string[]): boolean {
  if (source === '' || !isAllowedLink(source)) return false
  const { protocol, origin } = new URL(source, placeholderSite)
  if (protocol === 'mailto:') return false
  return origin === placeholderSite || origins === undefined || origins.includes(origin)
}

/** Whether an element may have an attribute with this value. */
export function isAllowedAttribute(
  element: string,
  { name, value }: { readonly name: string; readonly value: string },
  mediaOrigins?: readonly string[],
): boolean {
  if (allowedAttributes[element]?.includes(name) !== true) return false
  if (name === 'href') return isAllowedLink(value)
  if (name === 'src' || name === 'poster') return isAllowedMedia(value, mediaOrigins)
  return name === 'alt' || /^\d{1,4}$/.test(value)
}
