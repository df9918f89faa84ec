import { randomBytes } from 'node:crypto'
import { checkHost, type RequestCredentials, type SecretReader } from '#connections'
import type { OutboundRequest } from '#kernel/outbound'
import { secretsIn } from '../../definition/kinds/used-secrets.ts'
import type { ExternalApiStep } from '../../definition/step-types.ts'
import { durationMs } from '../../definition/values.ts'
import type { FlowRef } from '../../execution/sub-flows.ts'
import { asText, type Scope } from '../../expressions/paths.ts'
import { fillText, fillValue, reportMissing } from '../../expressions/templates.ts'
import type { SecretValues } from '../secret-values.ts'
import { StepFailure } from '../step-failure.ts'
import type { StepRun } from '../step-run.ts'

type Run = StepRun<ExternalApiStep>

/** A request with all values, except the credentials of its connection. */
export interface PreparedRequest {
  readonly url: string
  readonly options: OutboundRequest & { readonly headers: Readonly<Record<string, string>> }
}

/** Whether an account owns a flow and has saved this version of it. */
export type IsOwnVersion = (flow: FlowRef, accountId: string) => Promise<boolean>

export interface SecretAccess {
  /** Undefined: there are no secrets and connections. */
  readonly reader: SecretReader | undefined
  readonly isOwnVersion: IsOwnVersion
  readonly used: SecretValues
}

const defaultTimeoutMs = 30_000
const defaultMaxResponseBytes = 1_048_576

/** Fills the request of a step. Throws a StepFailure for a missing value, an unknown secret, or a secret that the host must not get. */
export async function prepareRequest(run: Run, access: SecretAccess): Promise<PreparedRequest> {
  const names = [...new Set(secretsIn(run.step.api, 'api').map(({ name }) => name))]
  // Most calls have no secrets, and need no second turn of the event loop.
  if (names.length === 0) return fillRequest(run, noSecrets)
  return fillRequest(run, createMarks(await readSecrets(run, names, access)))
}

/** Adds the credentials of a connection. Throws a StepFailure when the host must not get them. */
export function withCredentials(
  { url, options }: PreparedRequest,
  { headers, query, allowedHosts }: RequestCredentials,
  connection: string,
): PreparedRequest {
  requireHost(`The connection "${connection}"`, url, allowedHosts)
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const own = Object.entries(options.headers).filter(([name]) => !replaced.has(name.toLowerCase()))
  return {
    url: addQuery(url, query),
    options: { ...options, headers: { ...Object.fromEntries(own), ...headers } },
  }
}

/** Appends parameters; the rest of the URL is not encoded again. */
function addQuery(url: string, query: RequestCredentials['query']): string {
  const added = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  if (added.length === 0) return url
  const [address = '', ...fragment] = url.split('#')
  const joined = `${address}${address.includes('?') ? '&' : '?'}${added.join('&')}`
  return [joined, ...fragment].join('#')
}

async function readSecrets(
  run: Run,
  names: readonly string[],
  { reader, isOwnVersion, used }: SecretAccess,
): Promise<ReadonlyMap<string, string>> {
  const { step, accountId, flow } = run
  const found = await reader?.readSecrets(accountId, names)
  const values = new Map<string, string>()
  for (const name of names) {
    const secret = found?.get(name)
    if (secret === undefined) throw secretNotFound('secret', name)
    used.add(name, secret.value)
    // The host of a URL is never a placeholder.
    if (secret.allowedHosts.length > 0)
      requireHost(`The secret "${name}"`, originOf(step), secret.allowedHosts)
    else if (!(await isOwnVersion(flow, accountId))) throw refuseForeignFlow(name, run)
    values.set(name, secret.value)
  }
  return values
}

function originOf({ api }: ExternalApiStep): string {
  return /^https?:\/\/[^/?#]+/i.exec(api.url)?.[0] ?? ''
}

export function secretNotFound(part: 'secret' | 'connection', name: string): StepFailure {
  return new StepFailure({
    code: 'SECRET_NOT_FOUND',
    message: `There is no ${part} "${name}" that this account can use. Add it, or correct the name.`,
    details: { [part]: name },
  })
}

/** Throws a StepFailure unless the values of `subject` may be sent to a URL. */
function requireHost(subject: string, url: string, allowedHosts: readonly string[]): void {
  const outcome = checkHost(url, allowedHosts)
  if (outcome === 'allowed') return
  const { host, origin } = new URL(url)
  throw new StepFailure({
    code: 'EXTERNAL_API_REFUSED',
    message:
      outcome === 'not_encrypted'
        ? `${subject} may be sent to ${host} over https only: http would send it without encryption. Use https in the URL or, in a network that you trust, add "${origin}" to its allowed_hosts.`
        : `${subject} may not be sent to ${host}, only to ${allowedHosts.join(', ')}. Add the host, or correct the URL.`,
    details: { host, allowed_hosts: [...allowedHosts] },
  })
}

/** Secrets of earlier releases may have no hosts. Then the author of a flow chooses where the value goes, so it must be the owner. */
function refuseForeignFlow(name: string, { step, flow }: Run): StepFailure {
  const { host } = new URL(originOf(step))
  return new StepFailure({
    code: 'EXTERNAL_API_REFUSED',
    message: `The secret "${name}" has no allowed hosts, so only flows of its owner may send it. This step belongs to a flow that another account owns or has saved, and calls ${host}. Set allowed_hosts of the secret to the hosts that may get it.`,
    details: { secret: name, flow: flow.id, host, allowed_hosts: [] },
  })
}

/** Fills templates with marks in place of secrets, and then the values in place of the marks. */
interface Marks {
  /** The scope in which `secrets` are marks. */
  scopeOf(scope: Scope): Scope
  /** Replaces the marks inside a text by the values. */
  reveal(text: string, encode?: (value: string) => string): string
  /** Replaces the marks in all texts inside a value. */
  revealAll(value: unknown): unknown
}

const noSecrets: Marks = {
  scopeOf: (scope) => scope,
  reveal: (text) => text,
  revealAll: (value) => value,
}

/**
 * Templates see a mark in place of each secret, so no expression can compute with a value: a changed value would not be recognised and
 * redacted in the response. A mark is random, so no other value can contain it.
 */
function createMarks(values: ReadonlyMap<string, string>): Marks {
  const nonce = randomBytes(12).toString('hex')
  const names = [...values.keys()]
  const secrets = Object.fromEntries(names.map((name, index) => [name, `secret${nonce}n${index}e`]))
  const mark = new RegExp(`secret${nonce}n(\\d+)e`, 'g')
  const reveal = (text: string, encode = (value: string) => value) =>
    text.replaceAll(mark, (_whole, index: string) => encode(values.get(names[Number(index)] ?? '') ?? ''))
  return {
    scopeOf: (scope) => ({ ...scope, memory: { ...scope.memory, secrets } }),
    reveal,
    revealAll: (value) => mapTexts(value, reveal),
  }
}

function fillRequest(run: Run, marks: Marks): PreparedRequest {
  const { step, path, accountId, executionId, item } = run
  const { api } = step
  const scope = marks.scopeOf(run.scope)
  // Values are percent-encoded, so that a value cannot add a path segment or a query to the URL.
  const url = fillText(api.url, scope, (value) => encodeURIComponent(asText(value)))
  const headers = fillValue(api.headers ?? {}, scope)
  const body = fillValue(api.body, scope)
  const method = api.method ?? (api.body === undefined ? 'GET' : 'POST')
  reportMissingIn(run, method, { url: url.missing, headers: headers.missing, body: body.missing })
  const filledBody = marks.revealAll(body.value)
  return {
    url: marks.reveal(url.value, encodeURIComponent),
    options: {
      account: accountId,
      method,
      timeoutMs: api.timeout === undefined ? defaultTimeoutMs : durationMs(api.timeout),
      maxResponseBytes: api.max_response_size ?? defaultMaxResponseBytes,
      headers: headersOf(marks.revealAll(headers.value), filledBody, {
        key: idempotencyKeyOf(executionId, path, item),
        method,
      }),
      ...(api.body !== undefined && { body: asText(filledBody) }),
    },
  }
}

const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * A missing value in the URL or body of a call that writes fails the step: the call could change or delete something else. Everywhere
 * else it is left empty and logged.
 */
function reportMissingIn(
  run: Run,
  method: string,
  { url, headers, body }: Readonly<Record<'url' | 'headers' | 'body', readonly string[]>>,
): void {
  const [field, path] = !writingMethods.has(method)
    ? []
    : ([...url.map((name) => ['url', name]), ...body.map((name) => ['body', name])][0] ?? [])
  const log = path === undefined ? run.log : () => {}
  reportMissing({ failedProducerOf: run.failedProducerOf, log }, [...new Set([...url, ...headers, ...body])])
  if (path === undefined) return
  throw new StepFailure({
    code: 'MISSING_VALUE',
    message: `There is no value for {{${path}}} in api.${field} of this ${method} call. Give the execution a value, or write a default: {{${path} ?? "…"}}.`,
    details: { missing: path, field: `api.${field}` },
  })
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map)]))
}

function headersOf(
  given: unknown,
  body: unknown,
  { key, method }: { readonly key: string; readonly method: string },
): Record<string, string> {
  const written = Object.entries(given as Record<string, unknown>).map(
    ([name, value]) => [name, oneLine(asText(value))] as const,
  )
  const names = new Set(written.map(([name]) => name.toLowerCase()))
  return {
    ...(!names.has('accept') && { accept: 'application/json, text/*;q=0.9, */*;q=0.5' }),
    ...(body !== undefined &&
      !names.has('content-type') && {
        'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
      }),
    // The same key for every attempt of this step, also after a crash, so that the API can detect a repetition.
    ...(method !== 'GET' && method !== 'HEAD' && !names.has('idempotency-key') && { 'idempotency-key': key }),
    ...Object.fromEntries(written),
  }
}

/** Each item of a batch, and each scope of a container, has its own key. */
export function idempotencyKeyOf(executionId: string, path: string, item: number): string {
  return item === 0 ? `${executionId}/${path}` : `${executionId}/${path}/${item}`
}

/** Prevents header injection: a value must not start another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, ' ')
}
