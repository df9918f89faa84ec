import { readPage, readText } from '../../parts/read-search.ts'
import { type AdviceOptions, readAdviceOptions } from './advice/advice-options.ts'

/** The search parameters of the Workflows page; what advice is wanted for stands there, too. */
export interface WorkflowSearch extends AdviceOptions {
  search?: string
  page?: number
  /** The workflow that is about to be run. */
  run?: string
  tab?: 'advice'
  /** Advice was asked for. */
  asked?: true
}

/** Reads the address; what makes no sense is left out. */
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
