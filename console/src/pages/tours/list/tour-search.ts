import { readPage, readText } from '../../../parts/read-search.ts'

/** The ways to make a tour. */
export const ways = ['visual', 'template', 'import'] as const
export type Way = (typeof ways)[number]

/** The search parameters of the page: the filters, the page of the list, and the create dialog. */
export interface TourSearch {
  search?: string
  state?: 'published' | 'draft'
  /** Only tours of this site. */
  site?: string
  page?: number
  create?: Way
  /** The template of a new tour. */
  template?: string
}

/** Reads the address; invalid parameters are left out. */
export function readTourSearch(address: Record<string, unknown>): TourSearch {
  const { state } = address
  const search = readText(address['search'])?.slice(0, 200)
  const site = readText(address['site'])?.slice(0, 64)
  const page = readPage(address['page'])
  const create = ways.find((way) => way === address['create'])
  const template = readText(address['template'])?.slice(0, 200)
  return {
    ...(search === undefined ? {} : { search }),
    ...(state === 'published' || state === 'draft' ? { state } : {}),
    ...(site === undefined ? {} : { site }),
    ...(page === undefined ? {} : { page }),
    ...(create === undefined ? {} : { create }),
    ...(template === undefined ? {} : { template }),
  }
}
