import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the page: the flow, the page, and the open or new schedule. */
export interface ScheduleSearch {
  flow?: string
  page?: number
  schedule?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readScheduleSearch(address: Record<string, unknown>): ScheduleSearch {
  const flow = readText(address['flow'])
  const page = readPage(address['page'])
  const schedule = readText(address['schedule'])
  return {
    ...(flow === undefined || flow.length > 200 ? {} : { flow }),
    ...(page === undefined ? {} : { page }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(address['create'] === true ? { create: true } : {}),
  }
}
