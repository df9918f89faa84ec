export { type OutboundFailureCode, outboundFailureTable } from './errors.ts'
export {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundStream,
} from './outbound.ts'
export { type OutboundSettings, outboundSettings } from './settings.ts'
