import type { FastifyRequest } from 'fastify'
import type { RatePolicy } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import type { Gateway } from '../gateway/contract.ts'
import type { GenerateJson } from '../structured/structured-output.ts'
import type { AccountBudgetOf } from './requests/gateway-request.ts'
import { responseHeaderNames } from './responses/response-headers.ts'
import type { StreamRules } from './responses/send-stream.ts'

/** The options of all gateway routes. */
export interface GatewayRouteOptions {
  readonly gateway: Gateway
  readonly askForJson: GenerateJson
  readonly accountBudgetOf: AccountBudgetOf
  /** The id of this gateway, by which it recognises its own requests. */
  readonly gatewayId: string
  /** The header that keeps the requests of a session on one node of the cluster, in lower case. */
  readonly sessionHeader: string
  readonly idempotency: Pick<Idempotency, 'watch' | 'recordStream'>
  /** The rate limit of an account. */
  readonly ratePolicy: RatePolicy
  readonly rules: StreamRules & { readonly bodyLimitBytes: number }
}

/** The configuration of every call route: its scope, and the replay of responses for an `Idempotency-Key`. */
export const callConfig = {
  access: { signedIn: true, scope: 'models.generate' },
  idempotent: { replayOnly: true, headers: responseHeaderNames },
  forwardsBody: true,
} as const

/** Whether a request is a model call, in any of the APIs. */
export function isModelCall({ method, routeOptions }: FastifyRequest): boolean {
  const { access } = routeOptions.config
  return (
    method === 'POST' && access !== undefined && 'scope' in access && access.scope === callConfig.access.scope
  )
}
