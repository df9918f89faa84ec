import { readPage, readText } from '../../parts/read-search.ts'
import { executionStates } from './execution-words.ts'
import { liveKinds } from './live/live-words.ts'

/** The search parameters of the list of executions, and of their events in real time. */
export interface ExecutionSearch {
  status?: (typeof executionStates)[number]
  flow?: string
  id?: string
  page?: number
  /** Shows events in real time instead of the list. */
  view?: 'live'
  /** The type of the events in real time. */
  kind?: string
  /** The position of the list when it was opened: newer entries move no row to another page. */
  as_of?: string
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Parses the search parameters and drops invalid values. */
export function readExecutionSearch(address: Record<string, unknown>): ExecutionSearch {
  if (address['view'] === 'live') {
    const kind = readText(address['kind'])
    return { view: 'live', ...(kind === undefined || !Object.hasOwn(liveKinds, kind) ? {} : { kind }) }
  }
  const status = executionStates.find((state) => state === address['status'])
  const flow = readText(address['flow'])
  const id = readText(address['id'])?.toLowerCase()
  const page = readPage(address['page'])
  const asOf = readText(address['as_of'])
  return {
    ...(status === undefined ? {} : { status }),
    ...(flow === undefined || flow.length > 200 ? {} : { flow }),
    ...(id === undefined || !/^[\da-f-]{1,36}$/.test(id) ? {} : { id }),
    ...(page === undefined ? {} : { page }),
    ...(asOf !== undefined && uuid.test(asOf) && page !== undefined ? { as_of: asOf } : {}),
  }
}
