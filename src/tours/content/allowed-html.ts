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
] as const

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
