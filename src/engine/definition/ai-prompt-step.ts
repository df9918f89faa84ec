import { Type } from 'typebox'
import { common } from './common-step.ts'
import { Comparison } from './conditions.ts'
import { modelOptions } from './model-options.ts'
import { stepId, template } from './values.ts'

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

export const AiPromptSchema = Type.Object(
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
            'A model id of the catalogue. Default: the first available model of the default chain.',
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
