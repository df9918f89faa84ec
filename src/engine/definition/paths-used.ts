import { readCondition } from '../expressions/read-condition.ts'
import { placeholdersIn } from '../expressions/template.ts'
import type { AgentStep, AiPromptStep, DataTransformStep, Step } from './step-types.ts'

export interface UsedPath {
  readonly path: string
  /** The field that uses it. */
  readonly at: string
  /** It may be missing: a condition on a missing field is false. */
  readonly mayBeMissing?: true
  /** It is read after the step's own response, and may be part of it. */
  readonly afterAnswer?: true
}

/** All paths a step reads, with the field that names each. */
export function pathsUsedBy(step: Step): UsedPath[] {
  if (step.type === 'ai_prompt') return inPrompt(step)
  if (step.type === 'agent') return inAgent(step)
  if (step.type === 'external_api') return inValue(step.api, 'api')
  if (step.type === 'data_transform') return step.transformations.flatMap(inTransformation)
  return step.conditions.map(({ field }, index) => ({
    path: field,
    at: `conditions[${index}].field`,
    mayBeMissing: true,
  }))
}

function inPrompt(step: AiPromptStep): UsedPath[] {
  return [
    ...inText(step.prompt, 'prompt'),
    ...inText(step.ai_options?.system_prompt, 'ai_options.system_prompt'),
    ...inText(step.routing_prompt, 'routing_prompt').map((used) => ({ ...used, afterAnswer: true as const })),
    ...Object.entries(step.routing_options ?? {}).flatMap(([name, { condition }]): UsedPath[] => {
      const field = condition === undefined ? undefined : readCondition(condition)?.field
      const at = `routing_options.${name}.condition`
      return field === undefined ? [] : [{ path: field, at, mayBeMissing: true, afterAnswer: true }]
    }),
  ]
}

function inAgent({ input = '{{content}}', instructions, parameters }: AgentStep): UsedPath[] {
  return [
    ...inText(input, 'input'),
    ...inText(instructions, 'instructions'),
    ...inValue(parameters ?? {}, 'parameters'),
  ]
}

/** The output of a transformation is `previous` for the next, and a template refers to sources by the last part of their path. */
function inTransformation(
  { sources = [], template }: DataTransformStep['transformations'][number],
  index: number,
): UsedPath[] {
  const place = `transformations[${index}]`
  const given = new Set([
    ...(index > 0 ? ['previous'] : []),
    ...sources.map((source) => source.split('.').at(-1)),
  ])
  const isGiven = (path: string): boolean => given.has(/^[^.[]+/.exec(path)?.[0] ?? path)
  return [
    ...sources
      .map((path, position) => ({ path, at: `${place}.sources[${position}]` }))
      .filter(({ path }) => index === 0 || !/^previous(?:$|[.[])/.test(path)),
    ...inText(template, `${place}.template`).filter(({ path }) => !isGiven(path)),
  ]
}

function inText(text: string | undefined, at: string): UsedPath[] {
  return placeholdersIn(text ?? '').map((path) => ({ path, at }))
}

/** The paths inside a value, each with its position. */
function inValue(value: unknown, at: string): UsedPath[] {
  if (typeof value === 'string') return inText(value, at)
  if (value === null || typeof value !== 'object') return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) =>
    inValue(inner, isList ? `${at}[${key}]` : `${at}.${key}`),
  )
}
