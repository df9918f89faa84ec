import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Routes page. */
export interface RouteSearch {
  /** The open route. */
  route?: string
  /** The form of a new route is open. */
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readRouteSearch(address: Record<string, unknown>): RouteSearch {
  const route = readText(address['route'])
  return {
    ...(route === undefined ? {} : { route }),
    ...(address['create'] === true ? { create: true } : {}),
  }
}
