export type { OutboundFailureCode } from './errors.ts'
export {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
} from './outbound.ts'
