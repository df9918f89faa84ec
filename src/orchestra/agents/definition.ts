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
  description: 'Names the agent, also in the steps of flows.',
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
    description: Type.Optional(Type.String({ maxLength: 500, description: 'What it is for.' })),
    required: Type.Optional(Type.Boolean({ description: 'Whether a step must give it. Default: false.' })),
    default: Type.Optional(
      Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()], {
        description: 'What it is when a step does not give it. Default: an empty text.',
      }),
    ),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'What it may be. Default: anything.',
      }),
    ),
  },
  { additionalProperties: false },
)

const Analyser = Type.Object(
  {
    analyser: Type.Enum([...analyserNames]),
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'How many it finds.' })),
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
          '`fail` has the model asked again, and then fails the step; `warn` takes note and lowers the confidence. Default: `fail`.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type AnalyserWish = Static<typeof Analyser>
export type CheckWish = Static<typeof Check>

const Configuration = Type.Object(
  {
    supports_streaming: Type.Boolean({
      description: 'Whether the text is passed on while it is written. Not for JSON, which is checked first.',
    }),
    max_input_length: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Characters; a longer input is refused.',
    }),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'Seconds for one try, whatever it takes part in.',
    }),
    retry_limit: Type.Integer({
      minimum: 0,
      maximum: 5,
      description: 'How often the model is asked again when its answer has the wrong form or fails a check.',
    }),
  },
  { additionalProperties: false },
)

const Pricing = Type.Object(
  {
    base_cost: Type.Number({ minimum: 0, maximum: 1000, description: 'Dollars for each result.' }),
    per_token: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Dollars for each token of the model, in and out.',
    }),
    bulk_discount: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share that is taken off for items of a batch of more than one.',
    }),
    enterprise_rate: Type.Number({
      minimum: 0,
      maximum: 10,
      description: 'What the price is multiplied by for accounts of the tier enterprise.',
    }),
  },
  {
    additionalProperties: false,
    description: 'What using the agent costs besides the model. Default: nothing.',
  },
)

/** What an agent is and does. Saving one makes a version that never changes. */
export const AgentDefinition = Type.Object(
  {
    id: AgentId,
    label: Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'What people call it.' }),
    description: Type.String({ minLength: 1, maxLength: 2000, description: 'What it is for.' }),
    category: Type.Enum([...categories]),
    capabilities: Type.Array(Type.String({ minLength: 1, maxLength: 100, ...oneLine }), {
      minItems: 1,
      maxItems: 30,
      uniqueItems: true,
      description: 'What it can do, in a word or two each; recommendations go by them.',
    }),
    supported_languages: Type.Array(
      Type.String({ pattern: '^(\\*|[a-z]{2,3})$', 'x-means': 'must be a code such as en, or *' }),
      {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'Codes such as `en`; `*` is any. An input that is surely in another language is refused.',
      },
    ),
    input_types: Type.Array(Type.Enum([...inputTypes]), {
      minItems: 1,
      uniqueItems: true,
      description:
        'What it works on; anything else is refused. Plain text and Markdown cannot be told apart, so one stands for both.',
    }),
    output_format: Type.Enum([...outputFormats], {
      description: '`json` is an object as `output_schema` says; a text is brought into the format.',
    }),
    configuration: Configuration,
    pricing: Type.Optional(Pricing),
    prompt: Type.Optional(
      Template(
        'What the model is asked, with `{{content}}`, `{{instructions}}`, parameters by their names, and `{{analysis.…}}` for what was measured. Without one no model is asked.',
        50_000,
      ),
    ),
    system_prompt: Type.Optional(
      Template('Who the model is to be, with the same names but `{{content}}`.', 20_000),
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
        { additionalProperties: false, description: 'Where the step says nothing else.' },
      ),
    ),
    output_schema: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'JSON Schema of the object it makes. `method` is added: `model` or `analysis`.',
      }),
    ),
    content_field: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
        'x-means': 'must be the name of a field: up to 64 letters, digits and underscores, no digit first',
        description:
          'The field of a JSON output with the text that agents after it go on with. A text goes on as a whole.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(ParameterName, Parameter, { maxProperties: 50, additionalProperties: false }),
    ),
    analysers: Type.Optional(
      Type.Array(Analyser, { maxItems: 20, description: 'What is measured before anybody is asked.' }),
    ),
    analysis_output: Type.Optional(
      Type.Unknown({
        description:
          'What it makes without a language model: JSON or a text in which `{{analysis.…}}`, `{{content}}` and parameters are filled in. Without one it fails where there is no model.',
      }),
    ),
    checks: Type.Optional(Type.Array(Check, { maxItems: 30, description: 'What its output must satisfy.' })),
    conclusion: Type.Optional(
      Type.Object(
        {
          decision: Template('What it concluded, such as `{{verdict}}`.', 500),
          reasoning: Type.Optional(Template('Why, such as `{{reasoning}}`.', 2000)),
        },
        {
          additionalProperties: false,
          description:
            'How its decision is told, with fields of the output and `{{analysis.…}}`. Default: that it did its work.',
        },
      ),
    ),
  },
  { additionalProperties: false, description: 'What an agent is and does.' },
)

export type AgentDefinition = Static<typeof AgentDefinition>
export type Pricing = Static<typeof Pricing>

const { properties } = AgentDefinition

/** The same as somebody writes it: what goes without saying may be left out. */
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
      'Left out: every language, text, Markdown and HTML as input, JSON as output with `output_schema` and else text, the category as its capability, 100,000 characters of input, two minutes, and two more tries of the model.',
  },
)
