import { readText } from '../../parts/read-search.ts'

export const taskFilters = ['open', 'answered', 'timed_out', 'cancelled', 'all'] as const

/** The search parameters of the list of human tasks. */
export interface HumanTaskSearch {
  /** Default: open ones. */
  state?: (typeof taskFilters)[number]
  /** Only those assigned to the account. */
  assigned?: 'me'
  page?: number
  /** The task that is open. */
  task?: string
}

/** Parses the search parameters and drops invalid values. */
export function readHumanTaskSearch(address: Record<string, unknown>): HumanTaskSearch {
  const state = taskFilters.find((name) => name === address['state'] && name !== 'open')
  const page = Number(address['page'])
  const task = readText(address['task'])
  return {
    ...(state === undefined ? {} : { state }),
    ...(address['assigned'] === 'me' ? { assigned: 'me' } : {}),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
    ...(task === undefined || !/^[0-9a-f-]{36}$/i.test(task) ? {} : { task }),
  }
}
