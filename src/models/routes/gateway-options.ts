import type { RatePolicy } from '#kernel/http'
import type { Gateway } from '../gateway/contract.ts'
import type { AskForJson } from '../structured/ask-for-json.ts'
import type { StreamRules } from './answers/send-stream.ts'
import type { PurseOf } from './asked/who-asks.ts'

/** What every route to a model stands on. */
export interface GatewayRouteOptions {
  readonly gateway: Gateway
  readonly askForJson: AskForJson
  readonly purseOf: PurseOf
  /** Tells our own requests from those of other gateways. */
  readonly gatewayId: string
  /** How often an account may ask. */
  readonly ratePolicy: RatePolicy
  readonly rules: StreamRules & { readonly bodyLimitBytes: number }
}
