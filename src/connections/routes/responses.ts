import { Type } from 'typebox'
import { type Connection, type ConnectionKind, connectionKinds } from '../connection.ts'

const epoch = (description: string) => Type.Integer({ description: `${description} Epoch seconds.` })

const common = {
  name: Type.String(),
  allowed_hosts: Type.Array(Type.String(), {
    description:
      'The hosts that may get the values, over https unless one says `http://`. Empty for a secret of an earlier release: only flows that its owner owns and has saved can use it.',
  }),
  shared: Type.Boolean({ description: 'Whether executions of all accounts may use it.' }),
  own: Type.Boolean({ description: 'Whether it is yours. A shared one can be changed by its owner alone.' }),
  revision: Type.Integer({ description: 'From 1, one more for each change.' }),
  created_at: epoch('When it was added.'),
  updated_at: epoch('When it was last changed.'),
  used_at: Type.Union([Type.Integer(), Type.Null()], {
    description: 'When an execution last used it, to the minute, in epoch seconds; null: never.',
  }),
}

const usedBy = {
  used_by: Type.Array(Type.Object({ flow_id: Type.String(), label: Type.String() }), {
    description: 'Flows that name it in their current version, 100 at most.',
  }),
}

const settings = Type.Object(
  {
    username: Type.Optional(Type.String()),
    in: Type.Optional(Type.Enum(['header', 'query'])),
    name: Type.Optional(Type.String()),
    token_url: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    scopes: Type.Optional(Type.Array(Type.String())),
    audience: Type.Optional(Type.String()),
    client_authentication: Type.Optional(Type.Enum(['basic', 'body'])),
  },
  { description: 'The part of the connection that is not secret.' },
)

const secret = { ...common }
const connection = { ...common, kind: Type.Enum([...connectionKinds]), settings }

export const SecretResponse = Type.Object(secret, { description: 'A secret, without its value.' })
export const SecretWithUse = Type.Object(
  { ...secret, ...usedBy },
  { description: 'A secret, without its value.' },
)
export const SecretList = Type.Object(
  { secrets: Type.Array(SecretResponse), total: Type.Integer() },
  { description: 'A page of secrets.' },
)

export const ConnectionResponse = Type.Object(connection, {
  description: 'A connection, without its credentials.',
})
export const ConnectionWithUse = Type.Object(
  { ...connection, ...usedBy },
  { description: 'A connection, without its credentials.' },
)
export const ConnectionList = Type.Object(
  { connections: Type.Array(ConnectionResponse), total: Type.Integer() },
  { description: 'A page of connections.' },
)

export const Removed = Type.Object(
  { success: Type.Literal(true), name: Type.String(), status: Type.Literal('deleted') },
  { description: 'It was deleted.' },
)

export const TestResponse = Type.Object(
  {
    success: Type.Boolean(),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Status of the response; null without one.',
    }),
    problem: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the test failed; null after a success.',
    }),
  },
  { description: 'The result of one request with the credentials.' },
)

export function describeSecret(row: Connection, accountId: string) {
  return {
    name: row.name,
    allowed_hosts: [...row.allowedHosts],
    shared: row.shared,
    own: row.accountId === accountId,
    revision: row.revision,
    created_at: epochSeconds(row.createdAt),
    updated_at: epochSeconds(row.updatedAt),
    used_at: row.usedAt === null ? null : epochSeconds(row.usedAt),
  }
}

export function describeConnection(row: Connection, accountId: string) {
  const { scopes, ...rest } = row.settings
  return {
    ...describeSecret(row, accountId),
    // Rows of the kind `secret` are read by the routes of secrets alone.
    kind: row.kind as ConnectionKind,
    settings: { ...rest, ...(scopes !== undefined && { scopes: [...scopes] }) },
  }
}

function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
