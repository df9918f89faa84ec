import { type Static, Type } from 'typebox'
import { action, Comparison, Condition, common } from './common-step.ts'
import { duration, path, stepId, template } from './values.ts'

export const stepTypes = ['ai_prompt', 'conditional', 'external_api', 'data_transform', 'agent'] as const

export type StepType = (typeof stepTypes)[number]

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

const ExternalApiSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('external_api', { description: 'Calls an HTTP API. The response is the output.' }),
    api: call,
  },
  { additionalProperties: false, description: 'Calls an HTTP API.' },
)

export const mergeStrategies = ['deep', 'shallow', 'concat', 'first'] as const

export const calculationMethods = [
  'average',
  'weighted_average',
  'sum',
  'min',
  'max',
  'median',
  'count',
] as const

const Transformation = Type.Object(
  {
    operation: Type.Enum(['merge', 'calculate_metrics', 'generate_summary'], {
      description:
        '`merge` merges the sources into one value. `calculate_metrics` calculates with their numbers. `generate_summary` writes a text about them.',
    }),
    sources: Type.Optional(
      Type.Array(path('A path such as `analysis` or `metadata.facts`.'), {
        maxItems: 100,
        description: 'The sources of the transformation. Default: all keys of the shared memory.',
      }),
    ),
    merge_strategy: Type.Optional(
      Type.Enum([...mergeStrategies], {
        description:
          'For `merge`: `deep` merges objects at every level, `shallow` at the first; the later source wins. `concat` creates one list. `first` keeps the first source that has a value. Default: `deep`.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(path('The name of a field, or a path to it.'), {
        maxItems: 100,
        description: 'The fields that are merged, calculated or summarised. Default: all.',
      }),
    ),
    calculation_method: Type.Optional(
      Type.Enum([...calculationMethods], {
        description:
          'For `calculate_metrics`: how the numbers of a field are combined. `weighted_average` uses the field `weight` beside a number, or of the nearest enclosing object. Default: `average`.',
      }),
    ),
    template: Type.Optional(
      template(
        'For `generate_summary`: the text, with `{{path}}` for values of the sources. Default: a list of their values.',
      ),
    ),
    include_visualizations: Type.Optional(
      Type.Boolean({
        description:
          'For `calculate_metrics` and `generate_summary`: adds a chart of the numbers. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
)

const DataTransformSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('data_transform', {
      description: 'Merges, calculates and summarises values, without a model.',
    }),
    transformations: Type.Array(Transformation, {
      minItems: 1,
      maxItems: 50,
      description: 'Applied one after the other; each can use the output of the previous one as `previous`.',
    }),
  },
  { additionalProperties: false, description: 'Merges, calculates and summarises values.' },
)

const ConditionalSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('conditional', { description: 'Compares values and decides which steps run.' }),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: 100,
      description: 'Evaluated in order. The first true condition decides.',
    }),
    default_action: Type.Optional(
      action('The action when no condition is true. Default: the flow continues along its edges.'),
    ),
  },
  { additionalProperties: false, description: 'Takes the action of the first true condition.' },
)

const RoutingOption = Type.Object(
  {
    add_steps: Type.Optional(
      Type.Array(stepId('The id of another step.'), {
        maxItems: 100,
        description: 'Steps that only run when an option that adds them is chosen.',
      }),
    ),
    condition: Type.Optional(
      Type.Union([Comparison, Type.String({ minLength: 1, maxLength: 500 })], {
        description:
          'The option is offered only when this condition is true: `{field, operator, value}`, or as a text: `analysis.score < 70`. Default: always offered.',
      }),
    ),
    continue_to: Type.Optional(
      stepId('The step that runs next, after the added steps. Default: the flow continues along its edges.'),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'When to choose this option. The agent sees it.' }),
    ),
  },
  { additionalProperties: false, description: 'An option that the agent can choose, by name.' },
)

const postProcessingOperations = ['format', 'quality_check', 'extract_json', 'summarize'] as const

const qualityChecks = ['readability', 'structure', 'seo', 'language', 'length', 'sentiment'] as const

const outputFormats = ['markdown', 'html', 'plain_text', 'json'] as const

const PostProcessing = Type.Object(
  {
    operation: Type.Enum([...postProcessingOperations], {
      description:
        '`format` converts the text into `format`. `quality_check` runs `checks` and fails below `min_quality_score`. `extract_json` keeps the JSON in the response. `summarize` keeps its most important sentences.',
    }),
    format: Type.Optional(
      Type.Enum([...outputFormats], {
        description: 'For `format`: the target format. Default: `markdown`.',
      }),
    ),
    include_toc: Type.Optional(
      Type.Boolean({
        description: 'For `format`: adds a table of contents before the text. Default: false.',
      }),
    ),
    add_charts: Type.Optional(
      Type.Boolean({
        description: 'For `format`: adds a chart below each table with numbers. Default: false.',
      }),
    ),
    checks: Type.Optional(
      Type.Array(Type.Enum([...qualityChecks]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'For `quality_check`: the checks that score the text. Default: `readability`, `structure`, `length` and `language`.',
      }),
    ),
    min_quality_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'For `quality_check`: minimum score of the text, 0 to 100; a value up to 1 is a fraction. Default: no minimum.',
      }),
    ),
  },
  { additionalProperties: false },
)

const AiPromptSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('ai_prompt', {
      description: 'Calls a model, and optionally lets an agent choose how to continue.',
    }),
    prompt: template(
      'The prompt for the model. `{{path}}` inserts a value of the context or the shared memory.',
    ),
    ai_options: Type.Optional(
      Type.Object(
        {
          ...modelOptions(
            'A model id of the catalogue, or a route. Default: the first available model of the default chain.',
          ),
          system_prompt: Type.Optional(
            template('The system prompt: instructions before the prompt. May contain `{{path}}`.'),
          ),
        },
        { additionalProperties: false, description: 'The model and its parameters.' },
      ),
    ),
    agent_routing: Type.Optional(
      Type.Boolean({
        description: 'Whether an agent chooses one of `routing_options` after the response. Default: false.',
      }),
    ),
    routing_prompt: Type.Optional(
      template('The question for the agent that chooses. Default: which option fits the response best.'),
    ),
    routing_options: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), RoutingOption, {
        maxProperties: 50,
        additionalProperties: false,
        description:
          'The options the agent chooses from, by name (letters, digits, hyphens, underscores). Requires `agent_routing`.',
      }),
    ),
    post_processing: Type.Optional(
      Type.Array(PostProcessing, {
        maxItems: 20,
        description: 'Operations on the response, one after the other. The result is the output.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Calls a model.' },
)

const AgentSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('agent', { description: 'Runs an agent of the catalogue.' }),
    agent: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      'x-means': 'must be the id of an agent: lower-case letters, digits, hyphens and underscores',
      description: 'The id of an agent of the catalogue.',
    }),
    agent_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The version of the agent. Default: the current version when the step starts.',
      }),
    ),
    input: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'The input of the agent, with `{{path}}`. Default: `{{content}}`.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'Additional instructions for the agent, with `{{path}}`.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
        Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()]),
        {
          maxProperties: 50,
          additionalProperties: false,
          description:
            'Values of the parameters in the prompt of the agent, such as `target_language`; texts may contain `{{path}}`.',
        },
      ),
    ),
    ai_options: Type.Optional(
      Type.Object(
        modelOptions(
          'A model id of the catalogue, or a route. Default: the model of the agent, else the default chain.',
        ),
        { additionalProperties: false, description: 'The model of the agent and its parameters.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Runs an agent of the catalogue.' },
)

/** The schema of each type. A step is checked against its own type only, so that error messages fit it. */
export const stepSchemas = {
  ai_prompt: AiPromptSchema,
  conditional: ConditionalSchema,
  external_api: ExternalApiSchema,
  data_transform: DataTransformSchema,
  agent: AgentSchema,
} as const satisfies Record<StepType, unknown>

export type AiPromptStep = Static<typeof AiPromptSchema>

export type ConditionalStep = Static<typeof ConditionalSchema>

export type ExternalApiStep = Static<typeof ExternalApiSchema>

export type DataTransformStep = Static<typeof DataTransformSchema>

export type AgentStep = Static<typeof AgentSchema>

export type Step = AiPromptStep | ConditionalStep | ExternalApiStep | DataTransformStep | AgentStep

/** Whether a step calls models: with its own prompt, or through an agent. */
export function callsModels<Some extends Pick<Step, 'type'>>(
  step: Some,
): step is Extract<Some, { readonly type: 'ai_prompt' | 'agent' }> {
  return step.type === 'ai_prompt' || step.type === 'agent'
}

/** Whether a step is pure: it has no effects outside, and the same inputs always give the same output. */
export function isPure({ type }: Pick<Step, 'type'>): boolean {
  return type === 'conditional' || type === 'data_transform'
}

/** The options of a model call; `model` is the description of the default model. */
function modelOptions(model: string) {
  return {
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: model })),
    temperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description:
          'The sampling temperature: 0 is the most predictable, 2 the most varied. Default: that of the provider.',
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'The maximum number of tokens of the response; a longer one is truncated. Default: that of the provider.',
      }),
    ),
  }
}
