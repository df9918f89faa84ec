import type { Problem } from '#kernel/errors'
import { describeBadPlaceholder, placeholdersIn, readCondition } from '../expressions.ts'
import type { Action, Comparison } from './common-step.ts'
import {
  type AgentStep,
  type AiPromptStep,
  type ConditionalStep,
  callsModels,
  type DataTransformStep,
  type ExternalApiStep,
  type Step,
} from './step-types.ts'

/** Checks steps whose fields match their schema; undefined is a step that does not. */
export function checkSteps(steps: readonly (Step | undefined)[]): Problem[] {
  return steps.flatMap((step, index) => (step === undefined ? [] : checkStep(step, `steps[${index}]`)))
}

function checkStep(step: Step, place: string): Problem[] {
  return [...checkErrorHandling(step, place), ...checkByType(step, place)]
}

function checkByType(step: Step, place: string): Problem[] {
  if (step.type === 'ai_prompt') return checkPrompt(step, place)
  if (step.type === 'conditional') return checkConditional(step, place)
  if (step.type === 'agent') return checkAgent(step, place)
  return step.type === 'external_api' ? checkApi(step, place) : checkTransform(step, place)
}

function checkErrorHandling(step: Step, place: string): Problem[] {
  const { on_failure, fallback_message } = step.error_handling ?? {}
  const at = `${place}.error_handling`
  if (on_failure === 'fallback' && fallback_message === undefined) {
    return [
      {
        path: `${at}.fallback_message`,
        message: 'is required when on_failure is "fallback"',
        code: 'required',
      },
    ]
  }
  if (fallback_message !== undefined && on_failure !== 'fallback') {
    return [
      {
        path: `${at}.fallback_message`,
        message: 'has no effect unless on_failure is "fallback"',
        code: 'no_effect',
      },
    ]
  }
  if (on_failure === 'retry_with_different_provider' && !callsModels(step)) {
    return [
      {
        path: `${at}.on_failure`,
        message: `is only for steps that call a model, which a step of type ${step.type} does not`,
        code: 'no_effect',
      },
    ]
  }
  return []
}

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
    const read = readCondition(condition)
    if (read === undefined)
      problems.push({
        path: at,
        message: 'is not a condition such as "analysis.score < 70"',
        code: 'condition',
      })
    else problems.push(...checkComparison(read, at))
  }
  for (const [index, processing] of post_processing.entries()) {
    problems.push(...checkPostProcessing(processing, `${place}.post_processing[${index}]`))
  }
  return problems
}

type PostProcessing = NonNullable<AiPromptStep['post_processing']>[number]

const fieldsOfOperation: Readonly<Record<PostProcessing['operation'], readonly (keyof PostProcessing)[]>> = {
  format: ['format', 'include_toc', 'add_charts'],
  quality_check: ['checks', 'min_quality_score'],
  extract_json: [],
  summarize: [],
}

function checkPostProcessing(processing: PostProcessing, place: string): Problem[] {
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

function checkAgent({ input, instructions, parameters }: AgentStep, place: string): Problem[] {
  return [
    ...checkTemplate(input, `${place}.input`),
    ...checkTemplate(instructions, `${place}.instructions`),
    ...placeholdersIn(parameters ?? {}).flatMap((path) => checkPath(path, `${place}.parameters`)),
  ]
}

function checkConditional(step: ConditionalStep, place: string): Problem[] {
  return [
    ...step.conditions.flatMap((condition, index) => [
      ...checkComparison(condition, `${place}.conditions[${index}]`),
      ...checkAction(condition.action, `${place}.conditions[${index}].action`),
    ]),
    ...(step.default_action === undefined ? [] : checkAction(step.default_action, `${place}.default_action`)),
  ]
}

function checkComparison({ operator, value, field }: Comparison, place: string): Problem[] {
  const wrong = (message: string): Problem[] => [{ path: `${place}.value`, message, code: 'value' }]
  if (describeBadPlaceholder(field) !== undefined) {
    return [{ path: `${place}.field`, message: 'is not a path such as analysis.score', code: 'path' }]
  }
  if (operator === 'exists')
    return value === undefined || typeof value === 'boolean'
      ? []
      : wrong('must be true or false with "exists"')
  if (value === undefined) return wrong(`is required with "${operator}"`)
  if (operator === 'in' && !Array.isArray(value)) return wrong('must be a list with "in"')
  if (operator === 'matches' && typeof value !== 'string') return wrong('must be a text with "matches"')
  const ordered = operator === '<' || operator === '>' || operator === '<=' || operator === '>='
  if (ordered && typeof value !== 'number' && typeof value !== 'string')
    return wrong(`must be a number or a text with "${operator}"`)
  return []
}

function checkAction({ type, next_step, target_step }: Action, place: string): Problem[] {
  if (type === 'jump_to_step' && target_step === undefined) {
    return [{ path: `${place}.target_step`, message: 'is required with "jump_to_step"', code: 'required' }]
  }
  if (type === 'jump_to_step' && next_step !== undefined) {
    return [
      {
        path: `${place}.next_step`,
        message: 'has no effect on "jump_to_step"; it has target_step',
        code: 'no_effect',
      },
    ]
  }
  if (type === 'continue' && target_step !== undefined) {
    return [
      {
        path: `${place}.target_step`,
        message: 'has no effect on "continue"; it has next_step',
        code: 'no_effect',
      },
    ]
  }
  return []
}

function checkApi({ api }: ExternalApiStep, place: string): Problem[] {
  const problems = placeholdersIn(api).flatMap((path) => checkPath(path, `${place}.api`))
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

const fieldsOfTransformation: Readonly<Record<string, readonly string[]>> = {
  merge: ['sources', 'merge_strategy', 'fields'],
  calculate_metrics: ['sources', 'fields', 'calculation_method', 'include_visualizations'],
  generate_summary: ['sources', 'fields', 'template', 'include_visualizations'],
}

function checkTransform({ transformations }: DataTransformStep, place: string): Problem[] {
  return transformations.flatMap((transformation, index) => {
    const at = `${place}.transformations[${index}]`
    const usable = new Set(['operation', ...(fieldsOfTransformation[transformation.operation] ?? [])])
    const useless = Object.keys(transformation).filter((field) => !usable.has(field))
    return [
      ...useless.map((field) => ({
        path: `${at}.${field}`,
        message: `has no effect on "${transformation.operation}"`,
        code: 'no_effect',
      })),
      ...(transformation.sources ?? []).flatMap((source, position) =>
        checkPath(source, `${at}.sources[${position}]`),
      ),
      ...checkTemplate(transformation.template, `${at}.template`),
    ]
  })
}

function checkTemplate(template: string | undefined, place: string): Problem[] {
  return placeholdersIn(template ?? '').flatMap((path) => checkPath(path, place))
}

function checkPath(path: string, place: string): Problem[] {
  const message = describeBadPlaceholder(path)
  return message === undefined ? [] : [{ path: place, message, code: 'path' }]
}
