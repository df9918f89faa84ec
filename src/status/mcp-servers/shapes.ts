import { type Static, Type } from 'typebox'
import { GivenTransport } from './given-transport.ts'
import type { McpServerRow, McpTransport } from './server.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\s)[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]*(?<!\\s)$',
  'x-means': 'must be one line of text, without control characters and without spaces around it',
})

export const NewMcpServer = Type.Object(
  {
    name: Name,
    transport: GivenTransport,
    enabled: Type.Boolean({ default: true, description: 'Whether it is looked at.' }),
  },
  { additionalProperties: false },
)

export const McpServerChange = Type.Object(
  {
    name: Type.Optional(Name),
    transport: Type.Optional(GivenTransport),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)

const maybeText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const ShownTransport = Type.Union([
  Type.Object({ type: Type.Literal('http'), url: Type.String(), headers: Type.Array(Type.String()) }),
  Type.Object({
    type: Type.Literal('stdio'),
    command: Type.String(),
    args: Type.Array(Type.String()),
    env: Type.Array(Type.String()),
  }),
])

export const McpServerBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    transport: ShownTransport,
    enabled: Type.Boolean(),
    state: Type.Enum(['unknown', 'online', 'degraded', 'offline', 'disabled'], {
      description: 'As its last probe found it: `degraded` is slow, `unknown` is not looked at yet.',
    }),
    response_time: Type.Union([Type.Number(), Type.Null()], {
      description: 'Milliseconds of its last probe: start, `initialize` and `tools/list`.',
    }),
    last_check: maybeText('When it was last probed.'),
    last_seen: maybeText('When it last answered.'),
    last_error: maybeText('Why it is offline.'),
    server: Type.Union(
      [
        Type.Object({ name: Type.String(), version: Type.String(), protocol_version: Type.String() }),
        Type.Null(),
      ],
      { description: 'What it says of itself; null until it has.' },
    ),
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        title: maybeText('Its name for people.'),
        description: maybeText('What it does.'),
      }),
      { description: 'The tools it last told of, 200 at most.' },
    ),
    tools_total: Type.Integer({ description: 'As many tools as it last told of.' }),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { description: 'An MCP server. Of headers and variables only the names are shown.' },
)

export function describeServer(row: McpServerRow): Static<typeof McpServerBody> {
  const { serverName, serverVersion, protocolVersion } = row
  return {
    id: row.id,
    name: row.name,
    transport: showTransport(row.transport),
    enabled: row.enabled,
    state: row.enabled ? row.state : 'disabled',
    response_time: row.tookMs,
    last_check: row.probedAt?.toISOString() ?? null,
    last_seen: row.seenAt?.toISOString() ?? null,
    last_error: row.error,
    server:
      serverName === null
        ? null
        : { name: serverName, version: serverVersion ?? '', protocol_version: protocolVersion ?? '' },
    tools: [...row.tools],
    tools_total: row.toolsTotal,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

function showTransport(transport: McpTransport): Static<typeof ShownTransport> {
  if (transport.type === 'http') return { ...transport, headers: [...transport.headers] }
  return { ...transport, args: [...transport.args], env: [...transport.env] }
}
