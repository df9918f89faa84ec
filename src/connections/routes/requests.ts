import { Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { hostsRequired } from '../check-connection.ts'
import { connectionKinds, namePattern } from '../connection.ts'

export const nameParams = Type.Object({ name: Type.String({ maxLength: 200 }) })

const name = Type.String({
  pattern: namePattern,
  'x-means': 'must be up to 64 lower-case letters, digits and underscores, the first a letter',
  description: 'Secrets and connections of an account share their names.',
})

/** Longer texts are refused by the check of the value, which names the limit in bytes. */
const secretText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 20_000, description: `${description} It can never be read again.` })

const allowedHosts = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 50,
    'x-missing': hostsRequired,
    description: `${description} A name, \`*.example.com\` for all names below, each with or without a port. Requests must have https; \`http://\` before a host allows requests to it without encryption.`,
  })

const shared = Type.Boolean({
  description:
    'Whether executions of all accounts may use it. Needs the permission `manage workflows`. Default: false.',
})

const secretHosts = allowedHosts('The hosts that may get the value.')

export const NewSecret = Type.Object(
  {
    name,
    value: secretText('The value: 8 characters to 16 KiB.'),
    allowed_hosts: secretHosts,
    shared: Type.Optional(shared),
  },
  { additionalProperties: false },
)

export const ChangedSecret = Type.Object(
  {
    value: Type.Optional(secretText('The new value.')),
    allowed_hosts: Type.Optional(secretHosts),
    shared: Type.Optional(shared),
  },
  { additionalProperties: false },
)

const line = (description: string, maxLength = 300) =>
  Type.Optional(Type.String({ ...oneLine, maxLength, description }))

const settings = Type.Object(
  {
    username: line('`basic`: the user name.'),
    in: Type.Optional(Type.Enum(['header', 'query'], { description: '`api_key`: where the key is sent.' })),
    name: line('`api_key`: the name of the header or query parameter.', 100),
    token_url: line(
      '`oauth2_client_credentials`: the token endpoint, with https; with http only if `allowed_hosts` has its `http://` host.',
      2000,
    ),
    client_id: line('`oauth2_client_credentials`: the client id.'),
    scopes: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$',
          'x-means': 'must be a scope without spaces',
        }),
        { maxItems: 50, description: '`oauth2_client_credentials`: the scopes of the token.' },
      ),
    ),
    audience: line(
      '`oauth2_client_credentials`: the audience of the token, for servers that want one.',
      2000,
    ),
    client_authentication: Type.Optional(
      Type.Enum(['basic', 'body'], {
        description:
          '`oauth2_client_credentials`: how the client id and secret are sent: in the header `Authorization` or in the body. Default: `basic`.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The part of the connection that is not secret.' },
)

const credentials = Type.Object(
  {
    token: Type.Optional(secretText('`bearer`: the token.')),
    password: Type.Optional(secretText('`basic`: the password.')),
    key: Type.Optional(secretText('`api_key`: the key.')),
    client_secret: Type.Optional(secretText('`oauth2_client_credentials`: the client secret.')),
  },
  { additionalProperties: false, description: 'The secret values, each 8 characters to 16 KiB.' },
)

const connectionHosts = allowedHosts('The hosts that may get the credentials.')

export const NewConnectionBody = Type.Object(
  {
    name,
    kind: Type.Enum([...connectionKinds], { description: 'How requests send the credentials.' }),
    settings: Type.Optional(settings),
    credentials,
    allowed_hosts: connectionHosts,
    shared: Type.Optional(shared),
  },
  { additionalProperties: false },
)

export const ChangedConnection = Type.Object(
  {
    settings: Type.Optional(settings),
    credentials: Type.Optional(credentials),
    allowed_hosts: Type.Optional(connectionHosts),
    shared: Type.Optional(shared),
  },
  { additionalProperties: false },
)

export const TestBody = Type.Union([
  Type.Object(
    {
      url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description:
            'A URL of an allowed host. Default: the first allowed host, over https unless it says `http://`.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Null(),
])
