export { type Access, anonymousPrincipal, type Principal } from './access.ts'
export { type ApiDefinition, type ErrorView, registerApi } from './api-definition.ts'
export { offsetOf, oneLine, oneLineOrEmpty, pageQuery } from './common-schemas.ts'
export { closeHttpServer, createHttpServer, type HttpServerOptions } from './create-http-server.ts'
export { type StreamMessage, sendEventStream } from './event-stream.ts'
export { addHealthRoutes, checkReadiness, type ReadinessCheck } from './health-routes.ts'
export type { HttpServer } from './http-server.ts'
export { describeOpenApi, type OpenApiDocument } from './openapi/describe.ts'
export { addOpenApiRoutes } from './openapi/routes.ts'
export { plainErrorFormat } from './plain-error-format.ts'
export {
  perCaller,
  type RatePolicy,
  readRate,
  setRateHeaders,
} from './rate-limit.ts'
export { refuseEncodedBody } from './request-body.ts'
export { setPagePolicy } from './security-headers.ts'
export { toFailure } from './translate-error.ts'
export { createValueCheck, invalidInput } from './validation.ts'
