import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { asText } from '../../expressions/paths.ts'
import { fillText, fillValue } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { duration } from '../values.ts'
import { mapCallCredentials, redactAddress } from './call-credentials.ts'
import { checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inValue } from './used-paths.ts'

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
            'Headers of the request, by name. Values may contain `{{path}}`. Responses show a credential as `[redacted]`; saving this mark keeps the stored credential.',
        },
      ),
    ),
    body: Type.Optional(
      Type.Unknown({
        description: 'The body: JSON, or a text that is sent unchanged. `{{path}}` is filled everywhere.',
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
  mapCredentials: (step, replace) => ({
    ...step,
    api: mapCallCredentials(step.api, (found) => replace({ ...found, path: `api.${found.path}` })),
  }),
  hostOf: ({ api }) => /^https?:\/\/([^/?#]+)/i.exec(api.url)?.[1],
  describeInput: ({ api }, scope) => ({
    method: api.method ?? (api.body === undefined ? 'GET' : 'POST'),
    url: redactAddress(fillText(api.url, scope, (value) => encodeURIComponent(asText(value))).value),
    // Only the names: header values are often secrets.
    headers: Object.keys(api.headers ?? {}),
    body: fillValue(api.body, scope).value ?? null,
  }),
} as const satisfies StepKind<ExternalApiStep>

function checkApi({ api }: ExternalApiStep, place: string): Problem[] {
  const problems = checkTemplate(api, `${place}.api`)
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
