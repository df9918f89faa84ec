import { readPage, readText } from '../../parts/read-search.ts'

/** The API whose events a webhook receives. */
export type WebhookApi = 'workflows' | 'orchestra'

/** The search parameters of the Webhooks page: the API, the page, and the open or new webhook. */
export interface WebhookSearch {
  api?: 'orchestra'
  page?: number
  webhook?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readWebhookSearch(address: Record<string, unknown>): WebhookSearch {
  const { api, create } = address
  const page = readPage(address['page'])
  const webhook = readText(address['webhook'])
  return {
    ...(api === 'orchestra' ? { api } : {}),
    ...(page === undefined ? {} : { page }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(create === true ? { create } : {}),
  }
}
