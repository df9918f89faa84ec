import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the page: which flow's, which page, and the schedule that is open or being made. */
export interface ScheduleSearch {
  flow?: string
  page?: number
  schedule?: string
  create?: true
}

/** Reads the address; what makes no sense is left out. */
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
