import type { paths } from './schema.generated.ts'

/** The JSON a path answers to GET when all is well. */
type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type System = AnswerOf<'/api/v1/system'>
export type Worker = System['workers'][number]
export type RecurringTask = System['tasks'][number]
export type ModelNode = System['nodes'][number]
export type Interface = System['interfaces'][number]
export type Profile = AnswerOf<'/api/v1/user/profile'>
export type EventPage = AnswerOf<'/api/v1/events'>
export type PlatformEvent = EventPage['data'][number]
