import type { RatePolicy } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import type { Gateway } from '../gateway/contract.ts'
import type { AskForJson } from '../structured/ask-for-json.ts'
import { answerHeaderNames } from './answers/answer-headers.ts'
import type { StreamRules } from './answers/send-stream.ts'
import type { PurseOf } from './asked/who-asks.ts'

/** What every route to a model stands on. */
export interface GatewayRouteOptions {
  readonly gateway: Gateway
  readonly askForJson: AskForJson
  readonly purseOf: PurseOf
  /** Tells our own requests from those of other gateways. */
  readonly gatewayId: string
  /** The header that keeps the requests of a session on one node of the cluster, in lower case. */
  readonly sessionHeader: string
  readonly idempotency: Pick<Idempotency, 'watch' | 'recordStream'>
  /** How often an account may ask. */
  readonly ratePolicy: RatePolicy
  readonly rules: StreamRules & { readonly bodyLimitBytes: number }
}

/** The same for every call of a model: its scope, and that an answer is given again to the same `Idempotency-Key`. */
export const callConfig = {
  access: { signedIn: true, scope: 'models.generate' },
  idempotent: { replayOnly: true, headers: answerHeaderNames },
} as const
