import { type Static, Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { analyserNames } from './analysers/kinds.ts'
import { checkNames } from './checks/kinds.ts'

export const categories = ['content', 'seo', 'validation', 'transformation', 'analysis'] as const
export const agentStatuses = ['active', 'inactive', 'maintenance'] as const
export const inputTypes = ['text', 'markdown', 'html', 'json'] as const
export const outputFormats = ['json', 'text', 'markdown', 'html'] as const

export type Category = (typeof categories)[number]
export type AgentStatus = (typeof agentStatuses)[number]

export const AgentId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  'x-means': 'must be up to 64 lower-case letters, digits, hyphens and underscores',
  description: 'The id that steps of flows refer to.',
})

const ParameterName = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  'x-means': 'must be a letter, then up to 63 letters, digits and underscores',
})

const FieldPath = Type.String({ minLength: 1, maxLength: 256 })

const Template = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description })

const Parameter = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: 500, description: 'The purpose of the agent.' })),
    required: Type.Optional(Type.Boolean({ description: 'Whether a step must set it. Default: false.' })),
    default: Type.Optional(
      Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()], {
        description: 'The value when a step does not set it. Default: an empty text.',
      }),
    ),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Allowed values. Default: any.',
      }),
    ),
  },
  { additionalProperties: false },
)

const Analyser = Type.Object(
  {
    analyser: Type.Enum([...analyserNames]),
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Maximum number of results.' })),
    parameter: Type.Optional(ParameterName),
  },
  { additionalProperties: false },
)

const Check = Type.Object(
  {
    check: Type.Enum([...checkNames]),
    field: Type.Optional(FieldPath),
    fields: Type.Optional(Type.Array(FieldPath, { minItems: 1, maxItems: 50 })),
    least: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    most: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    within: Type.Optional(Type.Number({ minimum: 0, maximum: 1000 })),
    parameter: Type.Optional(ParameterName),
    finding: Type.Optional(FieldPath),
    on_failure: Type.Optional(
      Type.Enum(['fail', 'warn'], {
        description:
          '`fail` calls the model again and then fails the step; `warn` is recorded and lowers the confidence. Default: `fail`.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type AnalyserOptions = Static<typeof Analyser>
export type CheckOptions = Static<typeof Check>

const Configuration = Type.Object(
  {
    supports_streaming: Type.Boolean({
      description: 'Whether the text is streamed. Not for JSON, which is checked first.',
    }),
    max_input_length: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Maximum characters; a longer input is refused.',
    }),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'Timeout of one attempt, in seconds.',
    }),
    retry_limit: Type.Integer({
      minimum: 0,
      maximum: 5,
      description:
        'Maximum retries when the response of the model does not match the schema or fails a check.',
    }),
  },
  { additionalProperties: false },
)

const Pricing = Type.Object(
  {
    base_cost: Type.Number({ minimum: 0, maximum: 1000, description: 'Dollars per result.' }),
    per_token: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Dollars per input and output token of the model.',
    }),
    bulk_discount: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Discount for items of a batch with more than one item, 0 to 1.',
    }),
    enterprise_rate: Type.Number({
      minimum: 0,
      maximum: 10,
      description: 'Price factor for accounts of the enterprise tier.',
    }),
  },
  {
    additionalProperties: false,
    description: 'The surcharge for the agent, besides the model. Default: none.',
  },
)

/** The definition of an agent. Each save makes an immutable version. */
export const AgentDefinition = Type.Object(
  {
    id: AgentId,
    label: Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'The display name.' }),
    description: Type.String({ minLength: 1, maxLength: 2000, description: 'The purpose of the agent.' }),
    category: Type.Enum([...categories]),
    capabilities: Type.Array(Type.String({ minLength: 1, maxLength: 100, ...oneLine }), {
      minItems: 1,
      maxItems: 30,
      uniqueItems: true,
      description: 'Capabilities, one or two words each; recommendations use them.',
    }),
    supported_languages: Type.Array(
      Type.String({ pattern: '^(\\*|[a-z]{2,3})$', 'x-means': 'must be a code such as en, or *' }),
      {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'Language codes such as `en`; `*` is any. An input that is reliably in another language is refused.',
      },
    ),
    input_types: Type.Array(Type.Enum([...inputTypes]), {
      minItems: 1,
      uniqueItems: true,
      description:
        'Accepted input formats; others are refused. Plain text and Markdown cannot be distinguished, so each includes the other.',
    }),
    output_format: Type.Enum([...outputFormats], {
      description: '`json` is an object that matches `output_schema`; a text is converted to the format.',
    }),
    configuration: Configuration,
    pricing: Type.Optional(Pricing),
    prompt: Type.Optional(
      Template(
        'The prompt, with `{{content}}`, `{{instructions}}`, parameters by name, and `{{analysis.…}}` for the results of analysers. Without a prompt no model is called.',
        50_000,
      ),
    ),
    system_prompt: Type.Optional(
      Template('The system prompt, with the same placeholders except `{{content}}`.', 20_000),
    ),
    ai_options: Type.Optional(
      Type.Object(
        {
          model: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'An id of the model catalogue. Default: the default chain.',
            }),
          ),
          temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
          max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
        },
        { additionalProperties: false, description: 'Defaults that a step can override.' },
      ),
    ),
    output_schema: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'JSON Schema of the output. The platform adds `method`: `model` or `analysis`.',
      }),
    ),
    content_field: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
        'x-means': 'must be the name of a field: up to 64 letters, digits and underscores, no digit first',
        description:
          'The field of a JSON output that the next agent works on. A text output is passed on as a whole.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(ParameterName, Parameter, { maxProperties: 50, additionalProperties: false }),
    ),
    analysers: Type.Optional(
      Type.Array(Analyser, { maxItems: 20, description: 'Analysers that run before the model is called.' }),
    ),
    analysis_output: Type.Optional(
      Type.Unknown({
        description:
          'The output without a language model: JSON or a text with `{{analysis.…}}`, `{{content}}` and parameters. Without it, the agent fails when no model is available.',
      }),
    ),
    checks: Type.Optional(
      Type.Array(Check, { maxItems: 30, description: 'Checks that the output must pass.' }),
    ),
    conclusion: Type.Optional(
      Type.Object(
        {
          decision: Template('The decision, such as `{{verdict}}`.', 500),
          reasoning: Type.Optional(Template('The reason, such as `{{reasoning}}`.', 2000)),
        },
        {
          additionalProperties: false,
          description:
            'The decision that is recorded, with fields of the output and `{{analysis.…}}`. Default: `completed`.',
        },
      ),
    ),
  },
  { additionalProperties: false, description: 'The definition of an agent.' },
)

export type AgentDefinition = Static<typeof AgentDefinition>
export type Pricing = Static<typeof Pricing>

const { properties } = AgentDefinition

/** The definition as callers send it: fields with a default are optional. */
export const GivenAgentDefinition = Type.Object(
  {
    ...properties,
    capabilities: Type.Optional(properties.capabilities),
    supported_languages: Type.Optional(properties.supported_languages),
    input_types: Type.Optional(properties.input_types),
    output_format: Type.Optional(properties.output_format),
    configuration: Type.Optional(Type.Partial(Configuration)),
  },
  {
    additionalProperties: false,
    description:
      'Defaults: every language; text, Markdown and HTML as input; JSON output with `output_schema`, else text; the category as the only capability; 100,000 characters of input; a timeout of two minutes; two retries.',
  },
)
