import type { Options } from 'minisearch'

/** A part of a page that the search finds. */
export interface SearchEntry {
  readonly id: string
  /** The page with its anchor. */
  readonly target: string
  readonly page: string
  readonly title: string
  readonly text: string
}

/** The options of the index. Who writes it and who reads it must agree. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['target', 'page', 'title'],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
