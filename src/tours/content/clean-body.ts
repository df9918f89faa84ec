import sanitizeHtml from 'sanitize-html'
import { allowedTags, isAllowedLink } from './allowed-html.ts'

/** Lists within lists go deeper than any tour needs, and not deep enough to trouble whoever reads them. */
const mostLevels = 12

/** Takes out of the body of a step all that is not on the list, and what no file could hold. Cleaning twice changes nothing. */
export function cleanBody(html: string): string {
  return sanitizeHtml(withoutControls(html), {
    allowedTags: [...allowedTags],
    allowedAttributes: { a: ['href'] },
    // Links are judged below, by what a browser would make of them.
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    // What these hold is no text for people.
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'template',
      'title',
      'iframe',
      'object',
    ],
    nestingLimit: mostLevels,
    transformTags: { a: keepAllowedLink },
  }).trim()
}

function keepAllowedLink(tagName: string, { href }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  // Browsers leave these out before they read an address.
  const link = href?.replaceAll(/[\t\n\r]/g, '').trim()
  return { tagName, attribs: link !== undefined && isAllowedLink(link) ? { href: link } : {} }
}

/** Control characters other than line breaks and tabs: neither HTML nor YAML has a place for them. */
function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, '')
}
