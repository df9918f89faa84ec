/** Whatever XML 1.0 has no way to write. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** A text as it can stand in an element or an attribute of XML. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unwritable, '\uFFFD')
    .replaceAll(/[&<>"'\r]/g, (character) => entities[character] ?? character)
}
