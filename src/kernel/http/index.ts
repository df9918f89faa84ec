export { removeAbsentFields } from './absent-fields.ts'
export {
  type Access,
  anonymousPrincipal,
  type CredentialRequest,
  type KeyLimits,
  type Principal,
  requireAccess,
} from './access.ts'
export { isModelAllowed, type NamedModel } from './allowed-models.ts'
export { type ApiDefinition, type ErrorView, plainErrorFormat, registerApi } from './api-definition.ts'
export { closeHttpServer } from './close-http-server.ts'
export { offsetOf, oneLine, oneLineOrEmpty, pageQuery } from './common-schemas.ts'
export { createHttpServer, type HttpServerOptions } from './create-http-server.ts'
export { toFailure } from './error-responses.ts'
export { type StreamMessage, sendEventStream } from './event-stream.ts'
export { addHealthRoutes, checkReadiness, type ReadinessCheck } from './health-routes.ts'
export type { HttpServer } from './http-server.ts'
export { refuseEncodedBody } from './json-bodies.ts'
export { createKeyRates, type KeyCounts, type KeyRates } from './key-rates.ts'
export {
  forgetLongTexts,
  type JsonPieces,
  jsonBytes,
  shareLongTexts,
  writeJson,
} from './long-texts.ts'
export { addOpenApiRoutes, describeOpenApi, type OpenApiDocument } from './openapi.ts'
export {
  type CallerRatePolicy,
  countFor,
  perCaller,
  type RatePolicy,
  readRate,
  readUsedByAccounts,
  setRateHeaders,
} from './request-limits.ts'
export { requireFewFields } from './request-size.ts'
export { createResponseTexts } from './response-texts.ts'
export { setPagePolicy } from './security-headers.ts'
export { createValueCheck, invalidInput } from './validation.ts'
