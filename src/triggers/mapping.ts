import type { IncomingHttpHeaders } from 'node:http'
import { checkCondition, pathsOfCondition, StepFailure, type Test, templates } from '#engine'
import { kernelFailure, type Problem } from '#kernel/errors'
import { requireFewFields } from '#kernel/http'
import { triggersFailure } from './errors.ts'

/** A condition, as in a step. */
export type Filter = Test

/** What the templates of a trigger read: `body`, `headers`, `query` and `received_at`, or `event`. */
export type Source = Readonly<Record<string, unknown>>

const sourceNames = {
  webhook: ['body', 'headers', 'query', 'received_at'],
  event: ['event'],
} as const

/** The response of a webhook also reads the result. */
const responseNames = [...sourceNames.webhook, 'result', 'execution_id', 'status'] as const

/** Fills the templates of a trigger. Throws `trigger_input_too_large`. */
export function fillTemplates(template: unknown, source: Source): unknown {
  try {
    return templates.fillValue(template, scopeOf(source)).value
  } catch (error) {
    if (error instanceof StepFailure) throw triggersFailure('trigger_input_too_large', { cause: error })
    throw error
  }
}

/** Whether a template reads a path below `name`. */
export function readsPath(value: unknown, name: string): boolean {
  return templates.placeholdersIn(value).some((path) => path === name || path.startsWith(`${name}.`))
}

/** Whether a filter reads the path, or the whole value around it. */
export function filterReads(filter: Filter | undefined, path: readonly string[]): boolean {
  if (filter === undefined) return false
  return pathsOfCondition(filter, '').some(({ segments }) =>
    path.every((name, index) => (segments[index] ?? name) === name),
  )
}

function scopeOf(source: Source) {
  return { context: source, memory: {}, steps: {} }
}

interface Templates {
  readonly input: unknown
  readonly delivery_id?: unknown
  readonly response?: unknown
  readonly filter?: Filter | undefined
  readonly signal?: { readonly correlation_key: string } | undefined
}

/** The problems of the templates and the filter of a trigger: placeholders that are no path, or read something else. */
export function findTemplateProblems(kind: keyof typeof sourceNames, given: Templates): readonly Problem[] {
  const names = sourceNames[kind]
  return [
    ...problemsIn('input', given.input, names),
    ...problemsIn('delivery_id', given.delivery_id, names),
    ...problemsIn('response', given.response, kind === 'webhook' ? responseNames : names),
    ...problemsIn('signal.correlation_key', given.signal?.correlation_key, names),
    ...filterProblems(given.filter, names),
  ]
}

function filterProblems(filter: Filter | undefined, names: readonly string[]): readonly Problem[] {
  if (filter === undefined) return []
  const problems = checkCondition(filter, 'filter')
  if (problems.length > 0) return problems
  return pathsOfCondition(filter, 'filter').flatMap(({ segments, at }) =>
    names.includes(segments[0] ?? '')
      ? []
      : [{ path: at, message: notReadable(segments.join('.'), names), code: 'placeholder' }],
  )
}

function notReadable(path: string, names: readonly string[]): string {
  return `reads "${path}", which is none of ${names.join(', ')}`
}

function problemsIn(path: string, template: unknown, names: readonly string[]): Problem[] {
  return templates.placeholdersIn(template).flatMap((placeholder) => {
    const bad = templates.describeBadPlaceholder(placeholder)
    const first = /^[^.[]*/.exec(placeholder)?.[0] ?? ''
    if (bad === undefined && names.includes(first)) return []
    const message = bad ?? notReadable(placeholder, names)
    return [{ path, message, code: 'placeholder' }]
  })
}

/** Headers that say something about the content. Others, such as cookies and credentials, are none of the flow's business. */
const readableHeader = /^(?:content-type|user-agent|idempotency-key|ce-[\w-]+|webhook-[\w-]+|x-[\w-]+)$/
const hiddenHeader = /^x-(?:forwarded|real|envoy|amzn|request|api-key|auth|csrf|session)/

/** The headers that templates may read, in lower case. */
export function readableHeaders(headers: IncomingHttpHeaders, secret: readonly string[]): Source {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        typeof value === 'string' &&
        readableHeader.test(name) &&
        !hiddenHeader.test(name) &&
        !secret.includes(name),
    ),
  )
}

const maxDepth = 100

/** The value of a request body: JSON, the fields of a form, or a text. Throws `malformed_body` and `invalid_input`. */
export function readBody(body: Buffer, contentType: string | undefined): unknown {
  if (body.length === 0) return null
  const text = decode(body)
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return readJson(text)
  if (type === 'application/x-www-form-urlencoded') return fieldsOf(text, 'body')
  return text
}

/** The fields of a form or a query; a repeated one is a list. Throws `invalid_input` for too many. */
export function fieldsOf(text: string, part: 'body' | 'query'): Source {
  requireFewFields(text, part)
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name)
    if (Array.isArray(known)) known.push(value)
    else fields.set(name, known === undefined ? value : [known, value])
  }
  fields.delete('__proto__')
  return Object.fromEntries(fields)
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw kernelFailure('malformed_body', { message: 'The body is not valid UTF-8.' })
  }
}

function readJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw kernelFailure('invalid_input', { message: `The body is nested deeper than ${maxDepth} levels.` })
  }
  try {
    return JSON.parse(text, (name, value: unknown) => {
      if (name === '__proto__')
        throw kernelFailure('invalid_input', { message: 'The body has a field __proto__.' })
      return value
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw kernelFailure('malformed_body', { message: 'The body is not valid JSON.' })
  }
}

/** Whether brackets outside of strings are nested too deep: writing such a value again would exhaust the stack. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      at += 1
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    } else if (character === '[' || character === '{') {
      depth += 1
      if (depth > maxDepth) return true
    } else if (character === ']' || character === '}') {
      depth -= 1
    }
  }
  return false
}
