import type { Outbound, OutboundResponse } from '#kernel/outbound'
import {
  failed,
  type JsonSchema,
  type Tool,
  type ToolArguments,
  type ToolResult,
  usualTimeoutMs,
} from './tool.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A request whose parts come from the arguments of a call. */
export interface HttpOperation {
  readonly method: (typeof methods)[number]
  /** `{{arguments.name}}` in its path or query inserts an encoded value; its host is fixed. */
  readonly url: string
  /** Arguments that are added to the query. */
  readonly query?: readonly string[] | undefined
  /** Arguments that are sent as headers. */
  readonly headers?: readonly string[] | undefined
  /** The argument that is the body; undefined: none. */
  readonly body?: string | undefined
  readonly parameters: JsonSchema
}

interface HttpToolOptions {
  readonly name: string
  readonly description: string
  readonly operation: HttpOperation
  readonly outbound: Pick<Outbound, 'request'>
}

const maxResponseBytes = 1024 * 1024

const placeholder = /\{\{\s*arguments\.([A-Za-z0-9_-]{1,64})\s*\}\}/g

/** Creates a tool that calls an HTTP API through the outbound guard. */
export function createHttpTool({ name, description, operation, outbound }: HttpToolOptions): Tool {
  const { method, parameters } = operation
  return {
    name,
    description,
    parameters,
    timeoutMs: usualTimeoutMs,
    async call(given, { accountId, idempotencyKey, signal }) {
      const body = operation.body === undefined ? undefined : given[operation.body]
      const response = await outbound.request(urlOf(operation, given), {
        account: accountId,
        method,
        headers: {
          ...headersOf(operation, given),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(method !== 'GET' && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeoutMs: usualTimeoutMs,
        maxResponseBytes,
        signal,
      })
      return resultOf(response)
    },
  }
}

/** Why a URL of a tool cannot be used; undefined when it can. A model must not choose the host: it could send data anywhere. */
export function describeBadUrl(url: string): string | undefined {
  const probe = url.replaceAll(placeholder, 'x')
  if (probe.includes('{{')) return 'may contain only placeholders such as {{arguments.name}}'
  if (!URL.canParse(probe)) return 'is not a URL'
  const { protocol, origin } = new URL(probe)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://'
  return url.toLowerCase().startsWith(origin)
    ? undefined
    : 'must name its host without placeholders and credentials'
}

function urlOf({ url, query = [] }: HttpOperation, given: ToolArguments): string {
  const filled = url.replaceAll(placeholder, (_, name: string) => encodeURIComponent(textOf(given[name])))
  const target = new URL(filled)
  for (const name of query) {
    for (const value of [given[name]].flat()) {
      if (value !== undefined && value !== null) target.searchParams.append(name, textOf(value))
    }
  }
  return target.href
}

/** A header has one line: other characters of an argument would be another header, or no header at all. */
function headersOf({ headers = [] }: HttpOperation, given: ToolArguments): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap((name) => {
      const value = given[name]
      return value === undefined || value === null
        ? []
        : [[name, textOf(value).replaceAll(/[^\x20-\x7e]/g, ' ')]]
    }),
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function resultOf({ status, headers, body }: OutboundResponse): ToolResult {
  const type = [headers['content-type'] ?? ''].flat()[0] ?? ''
  const isText = type === '' || /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml))/i.test(type)
  const text = isText ? body.toString('utf8') : `[${type}, ${body.length} bytes]`
  if (status >= 200 && status < 300) return { text, isError: false }
  return failed(`Status ${status}${text === '' ? '' : `: ${text}`}`)
}
