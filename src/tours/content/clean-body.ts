import sanitizeHtml from 'sanitize-html'
import { allowedTags, isAllowedLink } from './allowed-html.ts'

/** Deeper than any tour needs, and shallow enough for every HTML parser. */
const maxLevels = 12

/** Sanitises the body of a step: removes elements that are not allowed and control characters. Idempotent. */
export function cleanBody(html: string): string {
  return sanitizeHtml(withoutControls(html), {
    allowedTags: [...allowedTags],
    allowedAttributes: { a: ['href'] },
    // `keepAllowedLink` checks links as browsers parse them.
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    // The content of these elements is not text for visitors.
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
    nestingLimit: maxLevels,
    transformTags: { a: keepAllowedLink },
  }).trim()
}

function keepAllowedLink(tagName: string, { href }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  // Browsers remove these characters before they parse a URL.
  const link = href?.replaceAll(/[\t\n\r]/g, '').trim()
  return { tagName, attribs: link !== undefined && isAllowedLink(link) ? { href: link } : {} }
}

/** Removes control characters other than line breaks and tabs: neither HTML nor YAML allows them. */
function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, '')
}
