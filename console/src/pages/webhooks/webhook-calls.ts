import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { WebhookApi } from './webhook-search.ts'

type Base = '/ai-workflows/api/webhooks'

/** The webhook responses of both APIs are nearly alike; the types are those of the workflows API. */
export function pathOf<Below extends string = ''>(kind: WebhookApi, below?: Below): `${Base}${Below}` {
  return `/ai-${kind}/api/webhooks${below ?? ''}` as `${Base}${Below}`
}

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type OfWorkflows = AnswerOf<`${Base}/{id}`>
type Settings = Readonly<Record<string, unknown>>

/** A webhook of either API, which name the settings differently. */
export type Webhook = Omit<OfWorkflows, 'filters' | 'retry_policy' | 'format'> & {
  readonly filters?: Settings
  readonly retry_policy?: Settings
  readonly format?: Settings
  readonly retry_config?: Settings
}
export type Delivery = AnswerOf<`${Base}/{id}/deliveries/{delivery}`>

/** The polling interval during verification: a receiver answers the challenge quickly or not at all. */
const verifyingMs = 2000

/** Deliveries change without an event, so they are polled. */
const refetchInterval = 5000

export function webhooksQuery(api: Api, { kind, page }: { kind: WebhookApi; page: number }) {
  return queryOptions({
    queryKey: ['webhooks', kind, 'list', page],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET(pathOf(kind), { signal, params: { query: { page, limit: pageSize } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.webhooks.some(({ status }) => status === 'pending_verification') === true ? verifyingMs : false,
  })
}

export function webhookQuery(api: Api, { kind, id }: { kind: WebhookApi; id: string }) {
  return queryOptions({
    queryKey: ['webhooks', kind, 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET(pathOf(kind, '/{id}'), { signal, params: { path: { id } } })),
  })
}

interface DeliveriesFilter {
  readonly kind: WebhookApi
  readonly id: string
  readonly state: Delivery['state'] | undefined
  readonly page: number
  readonly asOf: number | undefined
}

/** The deliveries, newest first. Pending ones change without an event, so the list is polled. */
export function deliveriesQuery(api: Api, { kind, id, state, page, asOf }: DeliveriesFilter) {
  return queryOptions({
    queryKey: ['webhooks', kind, 'deliveries', id, state, page, asOf],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET(pathOf(kind, '/{id}/deliveries'), {
          signal,
          params: {
            path: { id },
            query: {
              order: 'newest',
              page,
              limit: pageSize,
              ...(state === undefined ? {} : { state }),
              ...(asOf === undefined ? {} : { as_of: asOf }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}

export function deliveryQuery(
  api: Api,
  { kind, id, delivery }: { kind: WebhookApi; id: string; delivery: string },
) {
  return queryOptions({
    queryKey: ['webhooks', kind, 'delivery', id, delivery],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET(pathOf(kind, '/{id}/deliveries/{delivery}'), {
          signal,
          params: { path: { id, delivery } },
        }),
      ),
    refetchInterval,
  })
}
