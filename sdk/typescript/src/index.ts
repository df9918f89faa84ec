export { type CallOptions, createTutti, type FlowRun, type Tutti, type TuttiOptions } from './client.ts'
export { type Problem, TuttiError } from './errors.ts'
export type { paths } from './schema.ts'
export type { StreamEvent } from './streams.ts'
