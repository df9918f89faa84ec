import { parseHtml, textOf } from '../builder/rich-text/rich-text.ts'
import type { Tour } from './tour-calls.ts'

export const launchWords: Readonly<Record<Tour['launch'], string>> = {
  auto: 'Automatically',
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

/** The text of a body without its markup. */
export function wordsOf(body: string): string {
  // The end of a paragraph or an item also ends a word.
  const apart = body.replaceAll(/<(?:br|\/(?:p|li|ul|ol|h3|h4|pre|blockquote))\b/g, ' $&')
  return textOf(parseHtml(apart)).replaceAll(/\s+/g, ' ').trim()
}

/** What continues a step. */
export const advanceWords = {
  next: 'Next button',
  click: 'Click on the element',
  input: 'Input in the element',
  navigation: 'Another page',
} as const
