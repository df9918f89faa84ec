import type { Tour } from './tour-calls.ts'

export const launchWords: Readonly<Record<Tour['launch'], string>> = {
  auto: 'Automatically, once per visitor',
  invite: 'After the visitor agrees',
  manual: 'Manually',
}

export const locationWords: Readonly<Record<Tour['tips'][number]['location'], string>> = {
  top: 'Above',
  bottom: 'Below',
  left: 'Left',
  right: 'Right',
  center: 'Centre',
}

export function countOf(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count.toLocaleString()} ${what}s`
}

/** The text of a body without its markup. Scripts in it do not run: the parsed document is never shown. */
export function wordsOf(body: string): string {
  // The end of a paragraph or an item also ends a word.
  const apart = body.replaceAll(/<(?:br|\/(?:p|li|ul|ol|h3|h4|pre|blockquote))\b/g, ' $&')
  const text = new DOMParser().parseFromString(apart, 'text/html').body.textContent ?? ''
  return text.replaceAll(/\s+/g, ' ').trim()
}
