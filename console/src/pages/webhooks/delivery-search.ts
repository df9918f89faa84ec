import { readPage, readText } from '../../parts/read-search.ts'
import { deliveryStates } from './delivery-words.ts'
import type { Delivery } from './webhook-calls.ts'

/** The search parameters of the Deliveries page: the webhook, the filter, and the open delivery. */
export interface DeliverySearch {
  api?: 'orchestra'
  webhook?: string
  state?: Delivery['state']
  page?: number
  /** The position of the list when it was opened: newer entries move no row to another page. */
  as_of?: number
  delivery?: string
}

/** Parses the search parameters and drops invalid values. */
export function readDeliverySearch(address: Record<string, unknown>): DeliverySearch {
  const { api } = address
  const webhook = readText(address['webhook'])
  const state = deliveryStates.find((known) => known === address['state'])
  const page = readPage(address['page'])
  const asOf = Number(address['as_of'])
  const delivery = readText(address['delivery'])
  return {
    ...(api === 'orchestra' ? { api } : {}),
    ...(webhook === undefined ? {} : { webhook }),
    ...(state === undefined ? {} : { state }),
    ...(page === undefined ? {} : { page }),
    ...(Number.isSafeInteger(asOf) && asOf > 0 ? { as_of: asOf } : {}),
    ...(delivery === undefined ? {} : { delivery }),
  }
}
