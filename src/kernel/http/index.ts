export { type Access, anonymousPrincipal, type KeyLimits, type Principal } from './access.ts'
export { isModelAllowed, type NamedModel } from './allowed-models.ts'
export { type ApiDefinition, type ErrorView, plainErrorFormat, registerApi } from './api-definition.ts'
export { offsetOf, oneLine, oneLineOrEmpty, pageQuery } from './common-schemas.ts'
export { closeHttpServer, createHttpServer, type HttpServerOptions } from './create-http-server.ts'
export { toFailure } from './error-responses.ts'
export { type StreamMessage, sendEventStream } from './event-stream.ts'
export { addHealthRoutes, checkReadiness, type ReadinessCheck } from './health-routes.ts'
export type { HttpServer } from './http-server.ts'
export { refuseEncodedBody } from './json-bodies.ts'
export { countKeyRequest, keyLimitUsedUp } from './key-requests.ts'
export { addOpenApiRoutes, describeOpenApi, type OpenApiDocument } from './openapi.ts'
export {
  perCaller,
  type RatePolicy,
  readRate,
  setRateHeaders,
} from './request-limits.ts'
export { setPagePolicy } from './security-headers.ts'
export { createValueCheck, invalidInput } from './validation.ts'
