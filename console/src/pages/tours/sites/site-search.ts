import { readText } from '../../../parts/read-search.ts'

/** The search parameters of the page: the open drawer. */
export interface SiteSearch {
  site?: string
  create?: true
}

/** Reads the address; invalid parameters are left out. */
export function readSiteSearch(address: Record<string, unknown>): SiteSearch {
  const site = readText(address['site'])?.slice(0, 64)
  if (site !== undefined) return { site }
  return address['create'] === true ? { create: true } : {}
}
