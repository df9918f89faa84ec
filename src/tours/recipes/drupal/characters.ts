/**
 * Drupal refuses every character of the Unicode class C (control, format, private use, unassigned) in labels, and in texts
 * all of them but tabs and line breaks.
 */
const refused = {
  label: /\p{C}/gu,
  text: /[^\P{C}\t\n\r]/gu,
} as const
type Kind = keyof typeof refused

const maxListed = 5

/** The refused characters of a text, such as `U+200D`, each once and at most five. */
export function refusedCharacters(text: string, kind: Kind): string[] {
  const found = new Set(Array.from(text.matchAll(refused[kind]), ([character]) => codeOf(character)))
  return [...found].slice(0, maxListed)
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * A label that Drupal accepts. It shows labels as plain text, so that characters cannot be encoded: invisible ones are
 * removed, and others replaced by U+FFFD.
 */
export function toSiteLabel(label: string): string {
  return label.replaceAll(refused.label, (character) =>
    /\p{Default_Ignorable_Code_Point}/u.test(character) ? '' : '\ufffd',
  )
}

/** HTML that Drupal accepts, and that browsers show like the given HTML: refused characters become numeric entities. */
export function toSiteHtml(html: string): string {
  return html.replaceAll(refused.text, (character) =>
    /\p{Cs}/u.test(character) ? '\ufffd' : `&#${character.codePointAt(0)};`,
  )
}

/** Plain text of several lines that Drupal accepts. */
export function toSiteText(text: string): string {
  return text
    .split(/([\t\n\r])/)
    .map((part, index) => (index % 2 === 1 ? part : toSiteLabel(part)))
    .join('')
}
