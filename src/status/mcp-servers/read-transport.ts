import { type Static, Type } from 'typebox'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { McpTransport, Secrets } from './server.ts'

const Values = (description: string, maxValues: number) =>
  Type.Record(
    Type.String(),
    Type.Union([Type.String({ maxLength: 8000 }), Type.Null()], {
      description: 'Null keeps the stored value.',
    }),
    { description, maxProperties: maxValues },
  )

const HttpTransport = Type.Object(
  {
    type: Type.Literal('http'),
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Address of its streamable HTTP endpoint. With headers it must have https, unless `TUTTI_OUTBOUND_ALLOW` lists the host.',
    }),
    headers: Type.Optional(
      Values('Headers of every request. Values are stored encrypted and never shown.', 20),
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
      description: 'A program on the platform’s host.',
    }),
    args: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 50 })),
    env: Type.Optional(Values('Environment variables. Values are stored encrypted and never shown.', 50)),
  },
  { additionalProperties: false, title: 'Program' },
)

/** The transport of a server in a request. */
export const TransportInput = Type.Union([HttpTransport, StdioTransport])

type Given = Static<typeof TransportInput>

/** A transport with its decrypted secrets. */
export interface TransportWithSecrets {
  readonly transport: McpTransport
  readonly secrets: Secrets
}

interface ReadOptions {
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** Whether MCP servers may be programs on this host. */
  readonly stdio: boolean
}

export const stdioIsOff =
  'MCP servers that are programs on this host are disabled. Set TUTTI_MCP_STDIO=true to allow them, or use a server over HTTP.'

/** Validates a transport and fills in stored values. Throws `invalid_input`. */
export async function readTransport(
  given: Given,
  before: TransportWithSecrets | undefined,
  { outbound, stdio }: ReadOptions,
): Promise<TransportWithSecrets> {
  const kept = before !== undefined && hasSameTarget(before.transport, given) ? before.secrets : {}
  if (given.type === 'http') {
    const secrets = readValues(given.headers ?? {}, kept, 'transport.headers', checkHeader)
    const confidential = Object.keys(secrets).length > 0
    const url = await checkUrl(given.url, outbound, { confidential })
    return { transport: { type: 'http', url, headers: Object.keys(secrets) }, secrets }
  }
  if (!stdio) throw refuse('transport.type', stdioIsOff)
  const { command, args = [] } = given
  const secrets = readValues(given.env ?? {}, kept, 'transport.env', checkVariable)
  return { transport: { type: 'stdio', command, args, env: Object.keys(secrets) }, secrets }
}

/** Stored values are never sent to another host: the account that changes the address may not know them. */
function hasSameTarget(before: McpTransport, given: Given): boolean {
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
  return `No value of ${name.slice(0, 128)} is stored for this host or program: enter one.`
}

/** Headers set by the protocol or the connection. */
const reserved =
  /^(?:host|connection|keep-alive|transfer-encoding|content-.*|accept.*|te|trailer|upgrade|expect|http2-settings|proxy-.*|mcp-session-id|mcp-protocol-version|mcp-method|mcp-name|last-event-id)$/i

function checkHeader(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(name)) return 'This is not a valid header name.'
  if (reserved.test(name)) return 'This header is set by the protocol.'
  return /^[\t\x20-\x7e]*$/.test(value)
    ? undefined
    : 'A header value may contain printable ASCII characters only.'
}

function checkVariable(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) ? undefined : 'This is not a valid variable name.'
}

/** Reasons that TUTTI_OUTBOUND_ALLOW cannot lift. */
const permanentReasons = new Set(['scheme', 'credentials', 'malformed'])

async function checkUrl(
  url: string,
  outbound: Pick<Outbound, 'checkUrl'>,
  { confidential }: { readonly confidential: boolean },
): Promise<string> {
  try {
    return await outbound.checkUrl(url, { account: 'platform', confidential })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // A host name that does not resolve now may resolve later: the server is offline until then.
    if (error.retryable) return new URL(url).href
    const isPermanent = permanentReasons.has(String(error.details['reason']))
    throw refuse(
      'transport.url',
      isPermanent ? error.message : `${error.message} Add it to TUTTI_OUTBOUND_ALLOW to allow it.`,
    )
  }
}

function refuse(path: string, message: string) {
  return kernelFailure('invalid_input', { message, problems: [{ path, message, code: 'value' }] })
}
