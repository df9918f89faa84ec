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
        'Where it is sent, with `http://` or `https://`. May have `{{path}}` in path and query, not in the host.',
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
            'Headers of the request, by name. Values may have `{{path}}`. A credential is answered as `[redacted]`; saving that keeps the stored one.',
        },
      ),
    ),
    body: Type.Optional(
      Type.Unknown({
        description: 'JSON, or a text sent as it is; `{{path}}` is filled in everywhere in it.',
      }),
    ),
    timeout: Type.Optional(
      duration('How long one try may take: seconds, or a text such as `30s` or `5m`. Default: 30 seconds.'),
    ),
    retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: 'Further tries when the call fails or answers 429 or 5xx. Default: 0.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The request that is sent.' },
)

export const ExternalApiSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('external_api', { description: 'Calls another service, and keeps its answer.' }),
    api: call,
  },
  { additionalProperties: false, description: 'Calls another service.' },
)
