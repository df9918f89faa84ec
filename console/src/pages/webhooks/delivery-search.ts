import { readPage, readText } from '../../parts/read-search.ts'
import { deliveryStates } from './delivery-words.ts'
import type { Delivery } from './webhook-calls.ts'

/** The search parameters of the Deliveries page: of which webhook, what narrows them, and the one that is open. */
export interface DeliverySearch {
  api?: 'orchestra'
  webhook?: string
  state?: Delivery['state']
  page?: number
  /** Where the list stood when it was opened: what comes meanwhile moves no row to another page. */
  as_of?: number
  delivery?: string
}

/** Reads the address; what makes no sense is left out. */
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
