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

/** The words of a body without its markup. Nothing in it runs: the document it becomes is never shown. */
export function wordsOf(body: string): string {
  // Where a paragraph or an item ends, so does a word.
  const apart = body.replaceAll(/<(?:br|\/(?:p|li|ul|ol|h3|h4|pre|blockquote))\b/g, ' $&')
  const text = new DOMParser().parseFromString(apart, 'text/html').body.textContent ?? ''
  return text.replaceAll(/\s+/g, ' ').trim()
}
