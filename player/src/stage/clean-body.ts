import DOMPurify from 'dompurify'
import {
  allowedAttributes,
  allowedTags,
  isAllowedAttribute,
} from '../../../src/tours/content/allowed-html.ts'

/** Creates a separate sanitiser instance, so that hooks of the page and hooks of the player do not affect each other. */
export function createBodyCleaner(mediaOrigins: () => readonly string[]): (body: string) => DocumentFragment {
  const purify = DOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (element, attribute) => {
    const { attrName: name, attrValue } = attribute
    attribute.keepAttr = isAllowedAttribute(
      element.tagName.toLowerCase(),
      { name, value: name === 'alt' ? attrValue : attrValue.trim() },
      mediaOrigins(),
    )
  })
  return (body) => {
    const clean = purify.sanitize(body, {
      ALLOWED_TAGS: [...allowedTags],
      ALLOWED_ATTR: Object.values(allowedAttributes).flat(),
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const media of clean.querySelectorAll<HTMLImageElement | HTMLVideoElement>('img, video')) {
      if (!media.hasAttribute('src')) {
        console.warn('Tours: an image or a video is not shown; the site does not allow its origin.')
        media.replaceWith(media.getAttribute('alt') ?? '')
      } else if (media instanceof HTMLVideoElement) {
        // A video starts only when the visitor wants it to.
        media.controls = true
        media.playsInline = true
        media.preload = 'metadata'
      }
    }
    return clean
  }
}
