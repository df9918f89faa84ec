import { readText } from '../../parts/read-search.ts'
import { liveKinds } from './live-words.ts'

/** The search parameters of the Live page: one kind of event alone. */
export interface LiveSearch {
  kind?: string
}

/** Reads the address; what makes no sense is left out. */
export function readLiveSearch(address: Record<string, unknown>): LiveSearch {
  const kind = readText(address['kind'])
  return kind === undefined || !Object.hasOwn(liveKinds, kind) ? {} : { kind }
}
