import { placeholdersIn, placeholdersInValue } from '../expressions/template.ts'
import type { Step } from './step-types.ts'

export interface UsedPath {
  readonly path: string
  /** Which field uses it. */
  readonly at: string
}

/** Every path a step reads, with the field that names it. */
export function pathsUsedBy(step: Step): UsedPath[] {
  if (step.type === 'ai_prompt') {
    return [
      ...inText(step.prompt, 'prompt'),
      ...inText(step.ai_options?.system_prompt, 'ai_options.system_prompt'),
      ...inText(step.routing_prompt, 'routing_prompt'),
    ]
  }
  if (step.type === 'external_api') return placeholdersInValue(step.api).map((path) => ({ path, at: 'api' }))
  // A field of a condition that is not there is a result like any other: the condition does not hold.
  if (step.type === 'conditional') return []
  return step.transformations.flatMap((transformation, index) => [
    ...(transformation.sources ?? []).map((path, position) => ({
      path,
      at: `transformations[${index}].sources[${position}]`,
    })),
    ...inText(transformation.template, `transformations[${index}].template`),
  ])
}

function inText(text: string | undefined, at: string): UsedPath[] {
  return placeholdersIn(text ?? '').map((path) => ({ path, at }))
}
