import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { configurationRate } from '../api.ts'
import type { StatusSettings } from '../settings.ts'
import type { ChangeAuthor, McpServers } from './mcp-servers.ts'
import { TransportInput } from './read-transport.ts'
import type { McpServerRow, McpTransport } from './server.ts'

const access = { permission: 'administer llm' } as const
const changes = { access, ratePolicy: configurationRate } as const
const prefix = '/admin/mcp/servers'
const params = Type.Object({ id: Type.String({ format: 'uuid' }) })

interface McpRouteOptions {
  readonly mcpServers: McpServers
  readonly settings: Pick<StatusSettings, 'mcpStdio'>
}

/** The registry of MCP servers. */
export function addMcpServerRoutes(routes: HttpServer, options: McpRouteOptions): void {
  const { mcpServers: servers, settings } = options
  addCountRoute(routes, servers)
  addReadRoutes(routes, servers, settings.mcpStdio)

  routes.post(
    prefix,
    {
      config: changes,
      schema: {
        operationId: 'addMcpServer',
        summary: 'Add an MCP server',
        description: 'It is probed within seconds, or at once with `POST …/probe`.',
        body: NewMcpServer,
        response: { 201: McpServerResponse },
      },
    },
    async (request, reply) => {
      const { allow_flows: allowFlows = false, ...body } = request.body
      const row = await servers.add({ ...body, allowFlows }, changeAuthorOf(request))
      return reply.code(201).header('location', `${prefix}/${row.id}`).send(describeServer(row))
    },
  )

  routes.patch(
    `${prefix}/:id`,
    {
      config: changes,
      schema: {
        operationId: 'changeMcpServer',
        summary: 'Change an MCP server',
        description:
          'A new transport replaces the old one as a whole and resets the results of earlier probes.',
        params,
        body: McpServerChange,
        response: { 200: McpServerResponse },
      },
    },
    async (request) => {
      const { allow_flows: allowFlows, ...body } = request.body
      const change = { ...body, ...(allowFlows !== undefined && { allowFlows }) }
      return describeServer(await servers.change(request.params.id, change, changeAuthorOf(request)))
    },
  )

  routes.delete(
    `${prefix}/:id`,
    {
      config: changes,
      schema: {
        operationId: 'removeMcpServer',
        summary: 'Remove an MCP server',
        params,
        response: { 204: Type.Null({ description: 'The server is removed and no longer probed.' }) },
      },
    },
    async (request, reply) => {
      await servers.remove(request.params.id, changeAuthorOf(request))
      return reply.code(204).send(null)
    },
  )

  routes.post(
    `${prefix}/:id/probe`,
    {
      config: changes,
      schema: {
        operationId: 'probeMcpServer',
        summary: 'Probe an MCP server',
        description: 'Returns the result, also when the server is offline.',
        params,
        response: { 200: McpServerResponse },
      },
    },
    async (request) => describeServer(await servers.probe(request.params.id, request.server.closing)),
  )
}

function addReadRoutes(routes: HttpServer, servers: McpServers, stdio: boolean): void {
  routes.get(
    prefix,
    {
      config: { access },
      schema: {
        operationId: 'listMcpServers',
        summary: 'List MCP servers',
        description: 'The oldest first.',
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: {
          200: Type.Object(
            {
              servers: Type.Array(McpServerResponse),
              total: Type.Integer(),
              stdio_enabled: Type.Boolean({
                description: 'Whether servers may be programs on this host.',
              }),
            },
            { description: 'A page of servers.' },
          ),
        },
      },
    },
    async ({ query }, reply) => {
      const [rows, { total }] = await Promise.all([
        servers.list({ limit: query.limit, offset: offsetOf(query) }),
        servers.count(),
      ])
      return reply
        .header('cache-control', 'no-store')
        .send({ servers: rows.map(describeServer), total, stdio_enabled: stdio })
    },
  )

  routes.get(
    `${prefix}/:id`,
    {
      config: { access },
      schema: {
        operationId: 'readMcpServer',
        summary: 'Get an MCP server',
        params,
        response: { 200: McpServerResponse },
      },
    },
    async ({ params: { id } }, reply) =>
      reply.header('cache-control', 'no-store').send(describeServer(await servers.read(id))),
  )
}

function addCountRoute(routes: HttpServer, servers: McpServers): void {
  routes.get(
    '/admin/mcp/server/count',
    {
      config: { access },
      schema: {
        operationId: 'countMcpServers',
        summary: 'Count MCP servers',
        response: {
          200: Type.Object(
            {
              total: Type.Integer(),
              active: Type.Integer({ description: 'Servers that answered their last probe.' }),
              inactive: Type.Integer({ description: 'All other servers, including disabled ones.' }),
              lastUpdated: Type.String({
                format: 'date-time',
                description:
                  'When a server was last probed or changed; the current time when there is no server.',
              }),
            },
            { description: 'Number of servers.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const { total, online, degraded, updatedAt } = await servers.count()
      const active = online + degraded
      return reply
        .header('cache-control', 'public, max-age=120')
        .header('vary', 'Authorization, Cookie, X-API-Key')
        .send({
          total,
          active,
          inactive: total - active,
          lastUpdated: (updatedAt ?? new Date()).toISOString(),
        })
    },
  )
}

function changeAuthorOf({ principal, ip, headers }: FastifyRequest): ChangeAuthor {
  return { by: principal.id, ip, user_agent: headers['user-agent']?.slice(0, 512) ?? null }
}

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\s)[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]*(?<!\\s)$',
  'x-means': 'must be one line of text, without control characters and without spaces around it',
})

const NewMcpServer = Type.Object(
  {
    name: Name,
    transport: TransportInput,
    enabled: Type.Boolean({ default: true, description: 'Whether it is probed.' }),
    allow_flows: Type.Optional(
      Type.Boolean({
        description: 'Whether flows may call its tools, with the credentials stored here. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
)

const McpServerChange = Type.Object(
  {
    name: Type.Optional(Name),
    transport: Type.Optional(TransportInput),
    enabled: Type.Optional(Type.Boolean()),
    allow_flows: Type.Optional(Type.Boolean()),
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

const McpServerResponse = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    transport: ShownTransport,
    enabled: Type.Boolean(),
    allow_flows: Type.Boolean({ description: 'Whether flows may call its tools.' }),
    state: Type.Enum(['unknown', 'online', 'degraded', 'offline', 'disabled'], {
      description: 'The result of its last probe: `degraded` is slow, `unknown` is not probed yet.',
    }),
    response_time: Type.Union([Type.Number(), Type.Null()], {
      description: 'Duration of its last probe in milliseconds: start, `initialize` and `tools/list`.',
    }),
    last_check: maybeText('When it was last probed.'),
    last_seen: maybeText('When it last answered.'),
    last_error: maybeText('Why it is offline.'),
    server: Type.Union(
      [
        Type.Object({ name: Type.String(), version: Type.String(), protocol_version: Type.String() }),
        Type.Null(),
      ],
      { description: 'Name and versions as the server reports them; null before the first response.' },
    ),
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        title: maybeText('Display name.'),
        description: maybeText('What it does.'),
        input_schema: Type.Union(
          [
            Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
            Type.Null(),
          ],
          {
            description:
              'The JSON schema of its arguments; null when it has more than 16 KiB, and flows cannot call it.',
          },
        ),
      }),
      { description: 'The tools it last listed, 200 at most.' },
    ),
    tools_total: Type.Integer({ description: 'Number of tools it last listed.' }),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { description: 'An MCP server. Only the names of headers and variables are shown.' },
)

function describeServer(row: McpServerRow): Static<typeof McpServerResponse> {
  const { serverName, serverVersion, protocolVersion } = row
  return {
    id: row.id,
    name: row.name,
    transport: showTransport(row.transport),
    enabled: row.enabled,
    allow_flows: row.allowFlows,
    state: row.enabled ? row.state : 'disabled',
    response_time: row.tookMs,
    last_check: row.probedAt?.toISOString() ?? null,
    last_seen: row.seenAt?.toISOString() ?? null,
    last_error: row.error,
    server:
      serverName === null
        ? null
        : { name: serverName, version: serverVersion ?? '', protocol_version: protocolVersion ?? '' },
    tools: row.tools.map(({ name, title, description, inputSchema = null }) => ({
      name,
      title,
      description,
      input_schema: inputSchema,
    })),
    tools_total: row.toolsTotal,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

function showTransport(transport: McpTransport): Static<typeof ShownTransport> {
  if (transport.type === 'http') return { ...transport, headers: [...transport.headers] }
  return { ...transport, args: [...transport.args], env: [...transport.env] }
}
