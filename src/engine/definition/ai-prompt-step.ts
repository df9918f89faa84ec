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
          'Offered only when this holds: `{field, operator, value}`, or the same as text: `analysis.score < 70`. Default: always offered.',
      }),
    ),
    continue_to: Type.Optional(
      stepId('The step that comes next, after those that were added. Default: it goes on as drawn.'),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'When to choose it; told to the agent.' }),
    ),
  },
  { additionalProperties: false, description: 'A way on that can be chosen, under its name.' },
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
    format: Type.Optional(
      Type.Enum([...outputFormats], {
        description: 'For `format`: what the text becomes. Default: `markdown`.',
      }),
    ),
    include_toc: Type.Optional(
      Type.Boolean({
        description: 'For `format`: puts a table of contents before the text. Default: false.',
      }),
    ),
    add_charts: Type.Optional(
      Type.Boolean({
        description: 'For `format`: draws tables of numbers as charts below them. Default: false.',
      }),
    ),
    checks: Type.Optional(
      Type.Array(Type.Enum([...qualityChecks]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'For `quality_check`: what the text is judged by. Default: `readability`, `structure`, `length` and `language`.',
      }),
    ),
    min_quality_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'For `quality_check`: lowest score of the text, 0 to 100; 0 to 1 counts as a share of 100. Default: any.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const AiPromptSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('ai_prompt', { description: 'Asks a model, and may let an agent choose the way on.' }),
    prompt: template(
      'What the model is asked. `{{path}}` stands for a value of the context or the shared memory.',
    ),
    ai_options: Type.Optional(
      Type.Object(
        {
          ...modelOptions('An id of the model catalogue. Default: whoever the default chain begins with.'),
          system_prompt: Type.Optional(
            template('How the model shall behave, told before the prompt. May have `{{path}}`.'),
          ),
        },
        { additionalProperties: false, description: 'Which model is asked, and how.' },
      ),
    ),
    agent_routing: Type.Optional(
      Type.Boolean({
        description: 'Whether an agent chooses one of `routing_options` after the answer. Default: false.',
      }),
    ),
    routing_prompt: Type.Optional(
      template('What the agent is asked when it chooses. Default: which option fits the answer best.'),
    ),
    routing_options: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), RoutingOption, {
        maxProperties: 50,
        additionalProperties: false,
        description:
          'The ways on that the agent chooses from, by name (letters, digits, hyphens, underscores). Needs `agent_routing`.',
      }),
    ),
    post_processing: Type.Optional(
      Type.Array(PostProcessing, {
        maxItems: 20,
        description: 'What is done with the answer, one after the other, before it is the output.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Asks a model.' },
)
