import { type Static, Type } from 'typebox'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { McpTransport, Secrets } from './server.ts'

const Values = (description: string, maxValues: number) =>
  Type.Record(
    Type.String(),
    Type.Union([Type.String({ maxLength: 8000 }), Type.Null()], {
      description: 'Null keeps the value that is stored.',
    }),
    { description, maxProperties: maxValues },
  )

const HttpTransport = Type.Object(
  {
    type: Type.Literal('http'),
    url: Type.String({ minLength: 1, maxLength: 2000, description: 'Where it speaks streamable HTTP.' }),
    headers: Type.Optional(
      Values('Headers for every request. Values are kept sealed and never shown again.', 20),
    ),
  },
  { additionalProperties: false, title: 'Over HTTP' },
)

const StdioTransport = Type.Object(
  {
    type: Type.Literal('stdio'),
    command: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'A program of the platform’s machine.',
    }),
    args: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 50 })),
    env: Type.Optional(Values('Its variables. Values are kept sealed and never shown again.', 50)),
  },
  { additionalProperties: false, title: 'A program' },
)

/** How a server is reached, as callers write it. */
export const GivenTransport = Type.Union([HttpTransport, StdioTransport])

type Given = Static<typeof GivenTransport>

/** What the transport of a server was before, opened; undefined for a new one. */
export interface TransportBefore {
  readonly transport: McpTransport
  readonly secrets: Secrets
}

interface ReadOptions {
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** Whether programs may be run here. */
  readonly stdio: boolean
}

export const stdioIsOff =
  'Programs of this machine are not run here. Set TUTTI_MCP_STDIO=true to allow it, or use a server over HTTP.'

/** Checks what was given, and keeps values that were to be kept. */
export async function readTransport(
  given: Given,
  before: TransportBefore | undefined,
  { outbound, stdio }: ReadOptions,
): Promise<TransportBefore> {
  const kept = before !== undefined && staysWithin(before.transport, given) ? before.secrets : {}
  if (given.type === 'http') {
    const secrets = readValues(given.headers ?? {}, kept, 'transport.headers', checkHeader)
    const url = await checkUrl(given.url, outbound)
    return { transport: { type: 'http', url, headers: Object.keys(secrets) }, secrets }
  }
  if (!stdio) throw refuse('transport.type', stdioIsOff)
  const { command, args = [] } = given
  const secrets = readValues(given.env ?? {}, kept, 'transport.env', checkVariable)
  return { transport: { type: 'stdio', command, args, env: Object.keys(secrets) }, secrets }
}

/** Values that were given for one host are not told to another: whoever may change the address may not know them. */
function staysWithin(before: McpTransport, given: Given): boolean {
  if (before.type === 'stdio' || given.type === 'stdio') return before.type === given.type
  return URL.canParse(given.url) && new URL(given.url).origin === new URL(before.url).origin
}

function readValues(
  given: Readonly<Record<string, string | null>>,
  kept: Secrets,
  path: string,
  problemWith: (name: string, value: string) => string | undefined,
): Secrets {
  const values = Object.entries(given).map(([name, value]) => {
    const chosen = value ?? (Object.hasOwn(kept, name) ? kept[name] : undefined)
    if (chosen === undefined) throw refuse(`${path}.${name}`, noValueOf(name))
    const problem = problemWith(name, chosen)
    if (problem !== undefined) throw refuse(`${path}.${name}`, problem)
    return [name, chosen] as const
  })
  return Object.fromEntries(values)
}

function noValueOf(name: string): string {
  return `No value of ${name.slice(0, 128)} is stored for this host or program: give one.`
}

/** What the protocol or the connection decides. */
const reserved =
  /^(?:host|connection|keep-alive|transfer-encoding|content-.*|accept.*|te|trailer|upgrade|expect|http2-settings|proxy-.*|mcp-session-id|mcp-protocol-version|mcp-method|mcp-name|last-event-id)$/i

function checkHeader(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(name)) return 'This is not the name of a header.'
  if (reserved.test(name)) return 'This header is set by the protocol.'
  return /^[\t\x20-\x7e]*$/.test(value) ? undefined : 'A header can hold letters, digits and signs only.'
}

function checkVariable(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) ? undefined : 'This is not the name of a variable.'
}

/** Reasons that no list of allowed places changes. */
const hopeless = new Set(['scheme', 'credentials', 'malformed'])

async function checkUrl(url: string, outbound: Pick<Outbound, 'checkUrl'>): Promise<string> {
  try {
    return await outbound.checkUrl(url, { account: 'platform' })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // A name that is not known today may be known tomorrow: then the server is offline until it is.
    if (error.retryable) return new URL(url).href
    const isHopeless = hopeless.has(String(error.details['reason']))
    throw refuse(
      'transport.url',
      isHopeless ? error.message : `${error.message} TUTTI_OUTBOUND_ALLOW can open it.`,
    )
  }
}

function refuse(path: string, message: string) {
  return kernelFailure('invalid_input', { message, problems: [{ path, message, code: 'value' }] })
}
