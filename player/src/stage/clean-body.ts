import DOMPurify from 'dompurify'
import { allowedTags, isAllowedLink } from '../../../src/tours/content/allowed-html.ts'

/** Makes a cleaner of its own, so that neither the page's hooks reach ours nor ours the page's. */
export function createBodyCleaner(): (body: string) => DocumentFragment {
  const purify = DOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (_element, attribute) => {
    attribute.keepAttr = attribute.attrName === 'href' && isAllowedLink(attribute.attrValue.trim())
  })
  /** Turns a step's body into nodes that can do nothing but be read, whatever was stored. */
  return (body) =>
    purify.sanitize(body, {
      ALLOWED_TAGS: [...allowedTags],
      ALLOWED_ATTR: ['href'],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    })
}
