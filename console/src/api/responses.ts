import type { paths } from './schema.generated.ts'

/** The JSON body of a successful GET response of a path. */
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
export type ApiKey = AnswerOf<'/api/v1/api-keys'>['data'][number]
export type OauthClient = AnswerOf<'/api/v1/oauth-clients'>['data'][number]
export type ScopeName = OauthClient['scopes'][number]
export type User = AnswerOf<'/api/v1/users'>['data'][number]
export type Role = AnswerOf<'/api/v1/roles'>['data'][number]
export type Session = AnswerOf<'/api/v1/sessions'>['data'][number]
export type Authorization = AnswerOf<'/api/v1/authorizations'>['data'][number]
export type AuditEntry = AnswerOf<'/api/v1/audit'>['data'][number]
export type AuditType = NonNullable<NonNullable<paths['/api/v1/audit']['get']['parameters']['query']>['type']>
