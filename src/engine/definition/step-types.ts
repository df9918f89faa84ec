import { type Static, Type } from 'typebox'
import { Action, Comparison, Condition } from './conditions.ts'
import { Duration, MemoryKey, Path, StepId, Template } from './values.ts'

export const failureStrategies = ['abort', 'continue', 'fallback', 'retry_with_different_provider'] as const

const common = {
  id: StepId,
  label: Type.Optional(Type.String({ maxLength: 200, description: 'What people call it.' })),
  dependencies: Type.Optional(
    Type.Array(StepId, { maxItems: 500, description: 'Steps that must be over before this one begins.' }),
  ),
  output_to_memory: Type.Optional(MemoryKey),
  validation: Type.Optional(
    Type.Object(
      {
        min_length: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Fewest characters of the output.' }),
        ),
        required_sections: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
            maxItems: 50,
            description: 'Headings, or keys of a JSON output, that must be there.',
          }),
        ),
        quality_threshold: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 100,
            description: 'Lowest quality score of the text; 0 to 1 counts as a share of 100.',
          }),
        ),
        required_fields: Type.Optional(
          Type.Array(Path, { maxItems: 50, description: 'Fields the JSON output must have.' }),
        ),
        min_confidence: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Lowest confidence of the answer or decision.',
          }),
        ),
      },
      { additionalProperties: false, description: 'What the output must satisfy for the step to succeed.' },
    ),
  ),
  retry_config: Type.Optional(
    Type.Object(
      {
        max_attempts: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 20, description: 'Most tries, the first included.' }),
        ),
        retry_on_validation_failure: Type.Optional(
          Type.Boolean({
            description: 'Whether an output that does not satisfy `validation` is asked for again.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  parallel_execution: Type.Optional(
    Type.Boolean({
      description: 'Whether it may run beside other steps; `false` has it run alone. Default: true.',
    }),
  ),
  error_handling: Type.Optional(
    Type.Object(
      {
        on_failure: Type.Optional(
          Type.Enum([...failureStrategies], {
            description:
              '`abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts.',
          }),
        ),
        fallback_message: Type.Optional(Type.String({ maxLength: 10_000 })),
      },
      { additionalProperties: false },
    ),
  ),
}

const RoutingOption = Type.Object(
  {
    add_steps: Type.Optional(
      Type.Array(StepId, { maxItems: 100, description: 'Steps that only run when this option is chosen.' }),
    ),
    condition: Type.Optional(
      Type.Union([Comparison, Type.String({ minLength: 1, maxLength: 500 })], {
        description:
          'Offered only when this holds: `{field, operator, value}`, or the same as text: `analysis.score < 70`.',
      }),
    ),
    continue_to: Type.Optional(StepId),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'When to choose it; told to the agent.' }),
    ),
  },
  { additionalProperties: false },
)

const postProcessingOperations = ['format', 'quality_check', 'extract_json', 'summarize'] as const
const qualityChecks = ['readability', 'structure', 'seo', 'language', 'length', 'sentiment'] as const
const outputFormats = ['markdown', 'html', 'plain_text', 'json'] as const

const PostProcessing = Type.Object(
  {
    operation: Type.Enum([...postProcessingOperations], {
      description:
        '`format` turns the text into `format`. `quality_check` runs `checks` and fails below `min_quality_score`. `extract_json` keeps the JSON in the answer. `summarize` keeps its most telling sentences.',
    }),
    format: Type.Optional(Type.Enum([...outputFormats])),
    include_toc: Type.Optional(Type.Boolean({ description: 'Puts a table of contents before the text.' })),
    add_charts: Type.Optional(Type.Boolean({ description: 'Draws tables of numbers as charts below them.' })),
    checks: Type.Optional(Type.Array(Type.Enum([...qualityChecks]), { minItems: 1, uniqueItems: true })),
    min_quality_score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  },
  { additionalProperties: false },
)

export const AiPromptStep = Type.Object(
  {
    ...common,
    type: Type.Literal('ai_prompt'),
    prompt: Template,
    ai_options: Type.Optional(
      Type.Object(
        {
          model: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'An id of the model catalogue; without one the default chain answers.',
            }),
          ),
          temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
          max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
          system_prompt: Type.Optional(Template),
        },
        { additionalProperties: false },
      ),
    ),
    agent_routing: Type.Optional(
      Type.Boolean({ description: 'Whether an agent chooses one of `routing_options` after the answer.' }),
    ),
    routing_prompt: Type.Optional(Template),
    routing_options: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), RoutingOption, { maxProperties: 50 }),
    ),
    post_processing: Type.Optional(Type.Array(PostProcessing, { maxItems: 20 })),
  },
  { additionalProperties: false },
)

export const ConditionalStep = Type.Object(
  {
    ...common,
    type: Type.Literal('conditional'),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: 100,
      description: 'The first that holds decides.',
    }),
    default_action: Type.Optional(Action),
  },
  { additionalProperties: false },
)

const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const

export const ExternalApiStep = Type.Object(
  {
    ...common,
    type: Type.Literal('external_api'),
    api: Type.Object(
      {
        url: Type.String({
          minLength: 1,
          maxLength: 4000,
          description: 'May have `{{path}}` in path and query, not in the host.',
        }),
        method: Type.Optional(
          Type.Enum([...httpMethods], { description: 'Default: GET, or POST with a body.' }),
        ),
        headers: Type.Optional(
          Type.Record(
            Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }),
            Type.String({ maxLength: 8000 }),
            {
              maxProperties: 50,
            },
          ),
        ),
        body: Type.Optional(
          Type.Unknown({
            description: 'JSON, or a text sent as it is; `{{path}}` is filled in everywhere in it.',
          }),
        ),
        timeout: Type.Optional(Duration),
        retry_attempts: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 10,
            description: 'Further tries when the call fails or answers 429 or 5xx.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
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
    operation: Type.Enum(['merge', 'calculate_metrics', 'generate_summary']),
    sources: Type.Optional(
      Type.Array(Path, {
        maxItems: 100,
        description: 'What it works on. Default: everything in the shared memory.',
      }),
    ),
    merge_strategy: Type.Optional(
      Type.Enum([...mergeStrategies], {
        description:
          '`deep` joins objects at every level, `shallow` at the first; the later source wins. `concat` makes one list. `first` keeps the first source that has a value.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Path, {
        maxItems: 100,
        description: 'The fields that are merged, calculated or summarised. Default: all.',
      }),
    ),
    calculation_method: Type.Optional(Type.Enum([...calculationMethods])),
    template: Type.Optional(Template),
    include_visualizations: Type.Optional(Type.Boolean({ description: 'Adds a chart of the numbers.' })),
  },
  { additionalProperties: false },
)

export const DataTransformStep = Type.Object(
  {
    ...common,
    type: Type.Literal('data_transform'),
    transformations: Type.Array(Transformation, {
      minItems: 1,
      maxItems: 50,
      description: 'One after the other; each sees what the one before made as `previous`.',
    }),
  },
  { additionalProperties: false },
)

export const AgentStep = Type.Object(
  {
    ...common,
    type: Type.Literal('agent'),
    agent: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      description: 'An id of the catalogue of agents.',
    }),
    agent_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Default: whichever is current when the step begins.',
      }),
    ),
    input: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'What the agent works on, with `{{path}}`. Default: `{{content}}`.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'What is asked of it besides what it does anyway, with `{{path}}`.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
        Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()]),
        {
          maxProperties: 50,
          description:
            'What its prompt asks for by name, such as `target_language`; texts may have `{{path}}`.',
        },
      ),
    ),
    ai_options: Type.Optional(
      Type.Object(
        {
          model: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description:
                'An id of the model catalogue; without one the agent says which, or the default chain.',
            }),
          ),
          temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
          max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, description: 'Has an agent of the catalogue do its work.' },
)

export const stepTypes = ['ai_prompt', 'conditional', 'external_api', 'data_transform', 'agent'] as const
export type StepType = (typeof stepTypes)[number]

/** The schema of each type: a mistake in a step is told in the words of its own type. */
export const stepSchemas = {
  ai_prompt: AiPromptStep,
  conditional: ConditionalStep,
  external_api: ExternalApiStep,
  data_transform: DataTransformStep,
  agent: AgentStep,
} as const satisfies Record<StepType, unknown>

export type AiPromptStep = Static<typeof AiPromptStep>
export type ConditionalStep = Static<typeof ConditionalStep>
export type ExternalApiStep = Static<typeof ExternalApiStep>
export type DataTransformStep = Static<typeof DataTransformStep>
export type AgentStep = Static<typeof AgentStep>
export type Step = AiPromptStep | ConditionalStep | ExternalApiStep | DataTransformStep | AgentStep

/** Whether a step asks models: with a prompt of its own, or through an agent. */
export function asksModels<Some extends Pick<Step, 'type'>>(
  step: Some,
): step is Extract<Some, { readonly type: 'ai_prompt' | 'agent' }> {
  return step.type === 'ai_prompt' || step.type === 'agent'
}
