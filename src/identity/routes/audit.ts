import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Audit } from '../audit/audit.ts'
import { Id, listOf } from '../shapes.ts'

const OptionalText = Type.Union([Type.String(), Type.Null()])

const AuditEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Grows with time.' }),
    type: Type.String({ description: 'What happened.' }),
    account: Type.Union([Type.String(), Type.Null()], { description: 'Whose account it concerns.' }),
    username: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of that account now; null when it is gone.',
    }),
    by: Type.Union([Type.String(), Type.Null()], {
      description:
        'The account that did it; null when it was nobody’s: the terminal, the clock, a failed sign-in.',
    }),
    by_username: OptionalText,
    subject: Type.Union([Type.String(), Type.Null()], {
      description: 'What it happened to: an account, a key, a client, a role.',
    }),
    ip: OptionalText,
    user_agent: OptionalText,
    data: Type.Object({}, { additionalProperties: true }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { description: 'One security event.' },
)

interface AuditRouteOptions {
  readonly audit: Audit
  /** Everything it tells of. */
  readonly types: readonly string[]
}

/** What happened to accounts and credentials, and what operators did. */
export function addAuditRoute(routes: HttpServer, { audit, types }: AuditRouteOptions): void {
  routes.get(
    '/api/v1/audit',
    {
      config: { access: { permission: 'administer users' } },
      schema: {
        operationId: 'readAudit',
        summary: 'Security events, the newest first',
        description:
          'Sign-ins, failed ones, changes of accounts, roles, keys and clients, and what operators do. Reading on is asking for what came before the last `id`.',
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries at most.' }),
          before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only what came before this id.' })),
          type: Type.Optional(Type.Enum([...types], { description: 'Only events of this type.' })),
          account: Type.Optional(Type.String({ ...Id, description: 'Only what concerns this account.' })),
        }),
        response: { 200: listOf(AuditEntry, 'The newest events, or the newest before an id.') },
      },
    },
    async (request, reply) => {
      const { entries, total } = await audit.list(request.query)
      return reply.header('cache-control', 'no-store').send({ data: [...entries], total })
    },
  )
}
