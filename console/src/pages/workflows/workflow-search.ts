import { readPage, readText } from '../../parts/read-search.ts'
import { type AdviceOptions, readAdviceOptions } from './advice/advice-options.ts'

/** The search parameters of the Workflows page, including the options of a recommendation. */
export interface WorkflowSearch extends AdviceOptions {
  search?: string
  page?: number
  /** The workflow whose run form is open. */
  run?: string
  tab?: 'advice'
  /** A recommendation was requested. */
  asked?: true
}

/** Parses the search parameters and drops invalid values. */
export function readWorkflowSearch(address: Record<string, unknown>): WorkflowSearch {
  const search = readText(address['search'])?.slice(0, 200)
  const page = readPage(address['page'])
  const run = readText(address['run'])
  return {
    ...(search === undefined ? {} : { search }),
    ...(page === undefined ? {} : { page }),
    ...(run === undefined || run.length > 200 ? {} : { run }),
    ...(address['tab'] === 'advice' ? { tab: 'advice' } : {}),
    ...(address['asked'] === true ? { asked: true } : {}),
    ...readAdviceOptions(address),
  }
}
