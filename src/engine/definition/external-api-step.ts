import { Type } from 'typebox'
import { common } from './common-step.ts'
import { duration } from './values.ts'

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

export const ExternalApiSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('external_api', { description: 'Calls an HTTP API. The response is the output.' }),
    api: call,
  },
  { additionalProperties: false, description: 'Calls an HTTP API.' },
)
