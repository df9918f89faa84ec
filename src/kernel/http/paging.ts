import { Type } from 'typebox'

/** The query of a list: which page of it, and how long a page is. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries on a page.' }),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Which page, from 1.' }),
}

/** Entries before the page. */
export function offsetOf({ limit, page }: { readonly limit: number; readonly page: number }): number {
  return (page - 1) * limit
}
