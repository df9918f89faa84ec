import { groupWords } from './event-groups.ts'
import type { EventSearch } from './event-search.ts'
import { typesOf } from './event-words.ts'

/** The types to read, separated by commas; undefined reads all. */
export function filterOf({ type, group }: EventSearch): string | undefined {
  return type ?? (group === undefined ? undefined : typesOf(group).join(','))
}

/** The filter in words. */
export function nameFilter({ type, group }: EventSearch): string | undefined {
  if (type !== undefined) return `type ${type}`
  return group === undefined ? undefined : `the group ${groupWords[group]}`
}
