import { readText } from '../../parts/read-search.ts'
import { liveKinds } from './live-words.ts'

/** The search parameters of the Live page: the event type filter. */
export interface LiveSearch {
  kind?: string
}

/** Parses the search parameters and drops invalid values. */
export function readLiveSearch(address: Record<string, unknown>): LiveSearch {
  const kind = readText(address['kind'])
  return kind === undefined || !Object.hasOwn(liveKinds, kind) ? {} : { kind }
}
