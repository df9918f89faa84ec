import { Type } from 'typebox'

const printable = '[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]*'

/** Single-line text: no line breaks, control characters or bidirectional overrides. */
export const oneLineOrEmpty = {
  pattern: `^${printable}$`,
  'x-means': 'must be one line of text, without line breaks and control characters',
}

/** Single-line text that is not blank: for names and labels. */
export const oneLine = {
  pattern: `^(?!\\s*$)${printable}$`,
  'x-means': 'must be one line of text, without line breaks and control characters, and not blank',
}

/** The paging parameters of a list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries per page.' }),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number, from 1.' }),
}

/** Number of entries before the page. Does not throw. */
export function offsetOf({ limit, page }: { readonly limit: number; readonly page: number }): number {
  return (page - 1) * limit
}
