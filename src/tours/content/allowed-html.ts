/** The HTML that the body of a step may hold. Everything else is taken out when it is written, and again when it is shown. */
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

/** Where links may lead: these schemes, or a place on the page's own site. */
const linkSchemes = new Set(['http:', 'https:', 'mailto:'])

/** Stands for the site a tour is played on, wherever that is. */
const anySite = 'https://site.invalid'

/**
 * Whether a link may lead there. Browsers read `/\host` and `//host` as another site, so they are no relative links, and
 * `https:page` as one thing here and another there.
 */
export function isAllowedLink(href: string): boolean {
  if (!URL.canParse(href, anySite)) return false
  const { protocol, origin } = new URL(href, anySite)
  if (!linkSchemes.has(protocol)) return false
  const hasScheme = /^[a-z][a-z\d+.-]*:/i.test(href)
  return hasScheme ? /^(?:https?:\/\/|mailto:)/i.test(href) : origin === anySite
}
