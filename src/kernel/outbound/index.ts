export type { OutboundFailureCode } from './errors.ts'
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound.ts'
export { readRetryAfter } from './retry-after.ts'
