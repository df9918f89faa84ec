import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Audit } from '../audit.ts'
import { Id, listOf } from '../schemas.ts'

const OptionalText = Type.Union([Type.String(), Type.Null()])

const AuditEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Increases with time.' }),
    type: Type.String({ description: 'Type of the event.' }),
    account: Type.Union([Type.String(), Type.Null()], { description: 'Account that the event concerns.' }),
    username: Type.Union([Type.String(), Type.Null()], {
      description: 'Current username of that account; null when it was deleted.',
    }),
    by: Type.Union([Type.String(), Type.Null()], {
      description: 'Account that acted; null for the terminal, recurring tasks and failed sign-ins.',
    }),
    by_username: OptionalText,
    subject: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the account, key, client or role that changed.',
    }),
    ip: OptionalText,
    user_agent: OptionalText,
    data: Type.Object({}, { additionalProperties: true }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { description: 'An audit event.' },
)

interface AuditRouteOptions {
  readonly audit: Audit
  /** The event types in the audit log. */
  readonly types: readonly string[]
}

export function addAuditRoute(routes: HttpServer, { audit, types }: AuditRouteOptions): void {
  routes.get(
    '/api/v1/audit',
    {
      config: { access: { permission: 'administer users' } },
      schema: {
        operationId: 'readAudit',
        summary: 'List audit events',
        description:
          'Sign-ins, failed sign-ins, changes of accounts, roles, keys and clients, and actions of operators, newest first. For the next page, set `before` to the last `id`.',
        querystring: Type.Object({
          limit: Type.Integer({
            minimum: 1,
            maximum: 200,
            default: 50,
            description: 'Maximum number of entries.',
          }),
          before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only events with a smaller id.' })),
          type: Type.Optional(Type.Enum([...types], { description: 'Only events of this type.' })),
          account: Type.Optional(Type.String({ ...Id, description: 'Only events of this account.' })),
        }),
        response: { 200: listOf(AuditEntry, 'A page of audit events.') },
      },
    },
    async (request, reply) => {
      const { entries, total } = await audit.list(request.query)
      return reply.header('cache-control', 'no-store').send({ data: [...entries], total })
    },
  )
}
