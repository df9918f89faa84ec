import type { PlatformEvent } from '../../api/responses.ts'
import { describeDollars } from '../../parts/describe-amount.ts'

/** A part of a sentence: words, an account whose name is looked up, or a name with the page of what it names. */
export type SentencePart =
  | string
  | { readonly account: string }
  | { readonly name: string; readonly path: string; readonly search?: Readonly<Record<string, string>> }

/** The words of an event. */
export type Sentence = (event: EventView) => readonly SentencePart[]

/** The fields of an event that sentences use. */
export type EventView = Pick<PlatformEvent, 'type' | 'subject' | 'account' | 'data'>

const toursPath = '/admin/structure/recipe-onboarding/tours'

/** A text or a number of the event's data. */
export function field({ data }: EventView, name: string): string | undefined {
  const value = (data as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

export function accountOf(id: string | null | undefined): SentencePart {
  return id === null || id === undefined ? 'An operator' : { account: id }
}

/** The account that acted: `by`, or the account itself. */
export function actor(event: EventView): SentencePart {
  return accountOf(field(event, 'by') ?? event.account)
}

export function fromAddress(event: EventView): string {
  const ip = field(event, 'ip')
  return ip === undefined ? '' : ` from ${ip}`
}

export function byActor(event: EventView): readonly SentencePart[] {
  const by = field(event, 'by')
  return by === undefined ? [] : [' by ', { account: by }]
}

const named =
  (path: string, key: string): ((event: EventView) => SentencePart) =>
  (event) => {
    const name = field(event, 'name') ?? event.subject ?? 'unknown'
    return event.subject === null ? name : { name, path, search: { [key]: event.subject } }
  }

export const user = (event: EventView): SentencePart =>
  event.subject === null
    ? 'an account'
    : {
        name: field(event, 'username') ?? `${event.subject.slice(0, 8)}…`,
        path: '/users',
        search: { user: event.subject },
      }
export const role = named('/roles', 'role')
export const client = named('/oauth-clients', 'client')
export const route = named('/routes', 'route')
export const provider = named('/providers', 'provider')
export const mcpServer = named('/mcp-servers', 'server')
export const service = named('/health', 'service')
export const apiKey = (event: EventView): SentencePart => ({
  name: field(event, 'name') ?? 'an API key',
  path: '/api-keys',
})
export const node = (event: EventView): SentencePart => ({
  name: field(event, 'name') ?? event.subject ?? 'a node',
  path: '/cluster',
})
export const connection = (event: EventView): SentencePart => ({
  name: field(event, 'name') ?? 'a connection',
  path: '/connections',
})
export const incident = (event: EventView): SentencePart => ({
  name: field(event, 'title') ?? 'an incident',
  path: '/health',
  ...(event.subject === null ? {} : { search: { incident: event.subject } }),
})
export const tour = (event: EventView): SentencePart => ({
  name: field(event, 'name') ?? event.subject ?? 'a tour',
  path: event.subject === null ? toursPath : `${toursPath}/${encodeURIComponent(event.subject)}`,
})
export const workflow = (event: EventView): SentencePart => {
  const id = field(event, 'flow_id') ?? field(event, 'workflow_id')
  const name = field(event, 'workflow_label') ?? field(event, 'flow_label') ?? id ?? 'a workflow'
  return id === undefined ? name : { name, path: `/workflows/${encodeURIComponent(id)}` }
}
export const execution = (event: EventView): SentencePart => {
  const id = field(event, 'execution_id') ?? event.subject?.replace(/^execution:/, '')
  return id === undefined ? 'an execution' : { name: id.slice(-12), path: `/executions/${id}` }
}
export const model = (event: EventView): SentencePart => ({
  name: event.subject ?? 'a model',
  path: '/providers',
})

export function errorOf({ data }: EventView): string {
  const error = (data as { readonly error?: unknown }).error
  if (typeof error === 'string') return `: ${error}`
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  const text = message ?? code
  return typeof text === 'string' ? `: ${text}` : ''
}

export function atStep({ data }: EventView): string {
  const error = (data as { readonly error?: unknown }).error
  const step = (error as { readonly step?: unknown } | null | undefined)?.step
  return typeof step === 'string' ? ` at ${step}` : ''
}

/** An account did something to a thing: `Mara added the provider openai`. */
export const did =
  (words: string, what: (event: EventView) => SentencePart, after = ''): Sentence =>
  (event) => [actor(event), ` ${words} `, what(event), after]

export const price = (event: EventView) => {
  const [input, output] = ['input', 'output'].map((name) => field(event, name))
  return ` to ${dollars(input)} in and ${dollars(output)} out per million tokens`
}

function dollars(text: string | undefined): string {
  return describeDollars(Math.round(Number(text ?? 0) * 1_000_000))
}
