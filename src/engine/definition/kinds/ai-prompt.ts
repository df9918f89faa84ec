import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { readCondition } from '../../expressions/conditions.ts'
import { fillText } from '../../expressions/templates.ts'
import { common, Test } from '../common-step.ts'
import { stepId, template } from '../values.ts'
import { checkCondition, checkTemplate } from './check-values.ts'
import { modelOptions } from './model-options.ts'
import type { Branch, StepKind } from './step-kind.ts'
import { inCondition, inText, type UsedPath } from './used-paths.ts'

const RoutingOption = Type.Object(
  {
    add_steps: Type.Optional(
      Type.Array(stepId('The id of another step.'), {
        maxItems: 100,
        description: 'Steps that only run when an option that adds them is chosen.',
      }),
    ),
    condition: Type.Optional(
      Type.Union([Test, Type.String({ minLength: 1, maxLength: 500 })], {
        description:
          'The option is offered only when this condition is true: `{field, operator, value}`, `{expression}`, or a comparison as a text: `analysis.score < 70`. Default: always offered.',
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

const schema = Type.Object(
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
    output_schema: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'A JSON schema of up to 64 KiB. The output is JSON that satisfies it: a response that does not is sent back to the model with its problems. Default: the output is a text.',
      }),
    ),
    schema_attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        description:
          'The maximum number of calls until a response satisfies `output_schema`, the first one included. Default: 3.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Calls a model.' },
)

export type AiPromptStep = Static<typeof schema>

export const aiPrompt = {
  type: 'ai_prompt',
  plural: 'Prompt steps',
  schema,
  traits: {
    pure: false,
    callsModels: true,
    sendsPrompt: true,
    callsServices: false,
    decides: 'by_agent',
    // The response is validated before the routing decision.
    validatesOutput: true,
  },
  phase: 'ai_processing',
  namesIn: { routing_options: 'has a name that is not up to 64 letters, digits, hyphens and underscores' },
  check: checkPrompt,
  pathsUsed: inPrompt,
  templates: ({ prompt, ai_options: options }) => [prompt, options?.system_prompt],
  branches: branchesOf,
  jsonSchemas: ({ output_schema: given }) =>
    given === undefined ? [] : [{ path: 'output_schema', schema: given }],
  describeInput: ({ prompt, ai_options: options }, scope) => {
    const system = fillText(options?.system_prompt ?? '', scope).value
    return { prompt: fillText(prompt, scope).value, system: system === '' ? null : system }
  },
} as const satisfies StepKind<AiPromptStep>

function checkPrompt(step: AiPromptStep, place: string): Problem[] {
  const { agent_routing = false, routing_prompt, routing_options = {}, post_processing = [] } = step
  const options = Object.entries(routing_options)
  const problems = [
    ...checkTemplate(step.prompt, `${place}.prompt`),
    ...checkTemplate(step.ai_options?.system_prompt, `${place}.ai_options.system_prompt`),
    ...checkTemplate(routing_prompt, `${place}.routing_prompt`),
  ]
  if (agent_routing && options.length === 0) {
    problems.push({
      path: `${place}.routing_options`,
      message: 'is required with agent_routing: there is no option to choose',
      code: 'required',
    })
  }
  if (!agent_routing && (options.length > 0 || routing_prompt !== undefined)) {
    const field = options.length > 0 ? 'routing_options' : 'routing_prompt'
    problems.push({
      path: `${place}.${field}`,
      message: 'has no effect without agent_routing: true',
      code: 'no_effect',
    })
  }
  for (const [name, { condition }] of options) {
    if (condition === undefined) continue
    const at = `${place}.routing_options.${name}.condition`
    if (typeof condition !== 'string') problems.push(...checkCondition(condition, at))
    else if (readCondition(condition) === undefined)
      problems.push({
        path: at,
        message: 'is not a condition such as "analysis.score < 70"',
        code: 'condition',
      })
    else problems.push(...checkCondition(readCondition(condition) ?? {}, at))
  }
  for (const [index, processing] of post_processing.entries()) {
    problems.push(...checkPostProcessing(processing, `${place}.post_processing[${index}]`))
  }
  return [...problems, ...checkOutputSchema(step, place)]
}

function checkOutputSchema(step: AiPromptStep, place: string): Problem[] {
  const { schema_attempts: attempts, post_processing = [] } = step
  if (step.output_schema === undefined) {
    if (attempts === undefined) return []
    const message = 'has no effect without output_schema'
    return [{ path: `${place}.schema_attempts`, message, code: 'no_effect' }]
  }
  if (post_processing.length === 0) return []
  const message = 'has no effect with output_schema: the output is the JSON of the model, unchanged'
  return [{ path: `${place}.post_processing`, message, code: 'no_effect' }]
}

type Operation = NonNullable<AiPromptStep['post_processing']>[number]

const fieldsOfOperation: Readonly<Record<Operation['operation'], readonly (keyof Operation)[]>> = {
  format: ['format', 'include_toc', 'add_charts'],
  quality_check: ['checks', 'min_quality_score'],
  extract_json: [],
  summarize: [],
}

function checkPostProcessing(processing: Operation, place: string): Problem[] {
  const { operation, format } = processing
  const usable = new Set<string>(['operation', ...fieldsOfOperation[operation]])
  const useless = Object.keys(processing).filter((field) => !usable.has(field))
  const problems = useless.map((field) => ({
    path: `${place}.${field}`,
    message: `has no effect on "${operation}"`,
    code: 'no_effect',
  }))
  if (operation === 'format' && Object.keys(processing).length === 1) {
    problems.push({
      path: `${place}.format`,
      message: 'is required: the operation has no effect without it',
      code: 'required',
    })
  }
  if (
    (format === 'json' || format === 'plain_text') &&
    (processing.include_toc === true || processing.add_charts === true)
  ) {
    problems.push({
      path: `${place}.format`,
      message: `"${format}" has neither a table of contents nor charts`,
      code: 'no_effect',
    })
  }
  return problems
}

function inPrompt(step: AiPromptStep): UsedPath[] {
  return [
    ...inText(step.prompt, 'prompt'),
    ...inText(step.ai_options?.system_prompt, 'ai_options.system_prompt'),
    ...inText(step.routing_prompt, 'routing_prompt').map((used) => ({ ...used, afterAnswer: true as const })),
    ...Object.entries(step.routing_options ?? {}).flatMap(([name, { condition }]): UsedPath[] => {
      const at = `routing_options.${name}.condition`
      if (condition === undefined) return []
      return inCondition(condition, at).map(({ path }) => ({
        path,
        at,
        mayBeMissing: true,
        afterAnswer: true,
      }))
    }),
  ]
}

function branchesOf({ routing_options: options = {} }: AiPromptStep): Branch[] {
  return Object.entries(options).map(([name, { add_steps: added = [], continue_to: next }]) => {
    const at = `routing_options.${name}`
    return {
      label: () => name,
      adds: added.map((id, index) => ({ path: `${at}.add_steps[${index}]`, id })),
      next: next === undefined ? undefined : { path: `${at}.continue_to`, id: next },
      jumps: false,
    }
  })
}
