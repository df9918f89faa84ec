export { type Access, describeAccess } from './access.ts'
export { closeHttpServer, createHttpServer, type HttpServerOptions } from './create-http-server.ts'
export { type EventStreamOptions, type StreamMessage, sendEventStream } from './event-stream.ts'
export { addHealthRoutes, checkReadiness, type Readiness, type ReadinessCheck } from './health-routes.ts'
export type { HttpServer } from './http-server.ts'
export type { ErrorView, InterfaceDefinition, Wording } from './interface-definition.ts'
export { oneLine, oneLineOrEmpty } from './one-line.ts'
export { describeOpenApi, type OpenApiDocument } from './openapi/describe.ts'
export { addOpenApiRoutes } from './openapi/routes.ts'
export { offsetOf, pageQuery } from './paging.ts'
export { plainVoice } from './plain-voice.ts'
export { nobody, type Principal } from './principal.ts'
export {
  type CountedRate,
  countRequest,
  perCaller,
  type RatePolicy,
  readRate,
  tellRate,
} from './rate-limit.ts'
export { registerInterface } from './register-interface.ts'
export { refuseEncodedBody } from './request-body.ts'
export { type PagePolicy, setPagePolicy } from './security-headers.ts'
export { toFailure } from './translate-error.ts'
export { createValueCheck, invalidInput } from './validation.ts'
export { type WantedAnswer, wantedAnswer } from './wanted-answer.ts'
