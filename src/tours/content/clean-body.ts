import sanitizeHtml from 'sanitize-html'
import { allowedAttributes, allowedTags, isAllowedAttribute, renamedTags } from './allowed-html.ts'

/** Deeper than any tour needs, and shallow enough for every HTML parser. */
const maxLevels = 12

/**
 * Sanitises the body of a step: removes elements that are not allowed and control characters. Idempotent. With
 * `mediaOrigins`, images and videos of other origins are removed as well.
 */
export function cleanBody(html: string, mediaOrigins?: readonly string[]): string {
  const keepAllowed = (tagName: string, given: sanitizeHtml.Attributes): sanitizeHtml.Tag => ({
    tagName,
    attribs: Object.fromEntries(
      Object.entries(given)
        .map(([name, value]) => ({ name, value: name === 'alt' ? value : toAddress(value) }))
        .filter((attribute) => isAllowedAttribute(tagName, attribute, mediaOrigins))
        .map(({ name, value }) => [name, value]),
    ),
  })
  return sanitizeHtml(withoutControls(html), {
    allowedTags: [...allowedTags],
    allowedAttributes: Object.fromEntries(
      Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]]),
    ),
    // `isAllowedAttribute` checks addresses as browsers parse them.
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
    transformTags: { a: keepAllowed, img: keepAllowed, video: keepAllowed, ...renamedTags },
    exclusiveFilter: ({ tag, attribs }) => (tag === 'img' || tag === 'video') && attribs['src'] === undefined,
  }).trim()
}

/** Browsers remove these characters before they parse a URL. */
function toAddress(value: string): string {
  return value.replaceAll(/[\t\n\r]/g, '').trim()
}

/** Removes control characters other than line breaks and tabs: neither HTML nor YAML allows them. */
function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, '')
}
