import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { asText, type Scope } from '../../expressions/paths.ts'
import { fillText, fillValue } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { duration } from '../values.ts'
import { mapCallCredentials, redactAddress, redactBody } from './call-credentials.ts'
import { checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inValue } from './used-paths.ts'
import { checkSecretNames, secretMark, secretsIn } from './used-secrets.ts'

const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const

const call = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description:
        'The URL, with `http://` or `https://`. May contain `{{path}}` in path and query, not in the host.',
    }),
    method: Type.Optional(
      Type.Enum([...httpMethods], { description: 'Default: `GET`, or `POST` with a body.' }),
    ),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }),
        Type.String({ maxLength: 8000 }),
        {
          maxProperties: 50,
          additionalProperties: false,
          description:
            'Headers of the request, by name. Values may contain `{{path}}` and `{{secrets.name}}`. Responses show a credential as `[redacted]`; saving this mark keeps the stored credential.',
        },
      ),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'The body: JSON, or a text that is sent unchanged. `{{path}}` and `{{secrets.name}}` are filled everywhere. Responses show a credential as `[redacted]`; saving this mark keeps the stored credential.',
      }),
    ),
    connection: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,63}$',
        'x-means': 'must be the name of a connection: lower-case letters, digits and underscores',
        description:
          'The connection whose credentials the request sends. They go to the allowed hosts of the connection only.',
      }),
    ),
    success_status: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Integer({ minimum: 100, maximum: 599 }),
          Type.String({ pattern: '^[1-5]xx$', 'x-means': 'must be a status such as 404, or 2xx' }),
        ]),
        {
          minItems: 1,
          maxItems: 20,
          description:
            'The statuses of a successful call: numbers such as `404`, or texts such as `2xx`. Default: `2xx`.',
        },
      ),
    ),
    output: Type.Optional(
      Type.Enum(['body', 'response'], {
        description:
          'The output of the step: the body of the response, or an object with `status`, `headers` and `body`. Default: `body`.',
      }),
    ),
    max_response_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8_388_608,
        description:
          'The size of the largest response in bytes; a larger one fails the step. Default: 1 MiB.',
      }),
    ),
    timeout: Type.Optional(
      duration('The timeout of one attempt: seconds, or a text such as `30s` or `5m`. Default: 30 seconds.'),
    ),
    retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: 'Retries when the call fails or the status is 429 or 5xx. Default: 0.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The HTTP request.' },
)

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('external_api', { description: 'Calls an HTTP API. The response is the output.' }),
    api: call,
  },
  { additionalProperties: false, description: 'Calls an HTTP API.' },
)

export type ExternalApiStep = Static<typeof schema>

export const externalApi = {
  type: 'external_api',
  plural: 'External API steps',
  schema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: true,
    decides: 'never',
    validatesOutput: false,
  },
  phase: 'calling_api',
  namesIn: { 'api.headers': 'is not the name of a header' },
  check: checkApi,
  pathsUsed: ({ api }) => inValue(api, 'api'),
  templates: ({ api }) => [api.url, api.headers, api.body],
  secretsUsed: ({ api }) => [
    ...secretsIn(api, 'api'),
    ...(api.connection === undefined
      ? []
      : [{ part: 'connection' as const, name: api.connection, at: 'api.connection' }]),
  ],
  mapCredentials: (step, replace) => ({
    ...step,
    api: mapCallCredentials(step.api, (found) => replace({ ...found, path: `api.${found.path}` })),
  }),
  originOf: ({ api }) => /^https?:\/\/[^/?#]+/i.exec(api.url)?.[0],
  describeInput,
} as const satisfies StepKind<ExternalApiStep>

/** The values of all secrets are searched for in the response. */
const maxSecrets = 20

function checkSecretCount(api: ExternalApiStep['api'], place: string): Problem[] {
  const names = new Set(secretsIn(api, place).map(({ name }) => name))
  return names.size <= maxSecrets
    ? []
    : [{ path: place, message: `must not use more than ${maxSecrets} secrets`, code: 'maximum' }]
}

/** The request with marks in place of secrets. */
function describeInput({ api }: ExternalApiStep, scope: Scope): Readonly<Record<string, unknown>> {
  const marks = Object.fromEntries(secretsIn(api, 'api').map(({ name }) => [name, secretMark(name)]))
  const shown = { ...scope, memory: { ...scope.memory, secrets: marks } }
  const encode = (value: unknown) =>
    typeof value === 'string' && Object.values(marks).includes(value)
      ? value
      : encodeURIComponent(asText(value))
  return {
    method: api.method ?? (api.body === undefined ? 'GET' : 'POST'),
    url: redactAddress(fillText(api.url, shown, encode).value),
    ...(api.connection !== undefined && { connection: api.connection }),
    // Only the names: header values are often secrets.
    headers: Object.keys(api.headers ?? {}),
    body: redactBody(fillValue(api.body, shown).value ?? null),
  }
}

function checkApi({ api }: ExternalApiStep, place: string): Problem[] {
  const problems = [
    ...checkTemplate(api, `${place}.api`),
    ...checkSecretNames(api, `${place}.api`),
    ...checkSecretCount(api, `${place}.api`),
  ]
  const origin = /^https?:\/\/[^/?#]+/i.exec(api.url)?.[0]
  if (origin === undefined || origin.includes('{{') || !URL.canParse(origin)) {
    problems.push({
      path: `${place}.api.url`,
      message: 'must start with http:// or https:// and a host without placeholders',
      code: 'url',
    })
  }
  if (origin?.includes('@')) {
    problems.push({
      path: `${place}.api.url`,
      message: 'must not contain a user name or password; use the header Authorization',
      code: 'url',
    })
  }
  if (api.body !== undefined && (api.method === 'GET' || api.method === 'HEAD')) {
    problems.push({ path: `${place}.api.body`, message: `has no effect on ${api.method}`, code: 'no_effect' })
  }
  return problems
}
