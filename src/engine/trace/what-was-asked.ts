import { redactAddress } from '../definition/credentials.ts'
import type { DataTransformStep, Step } from '../definition/step-types.ts'
import { itemContext } from '../execution/item-context.ts'
import { lookUp, type Scope } from '../expressions/path.ts'
import { asText, fillText, fillValue } from '../expressions/template.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StoredExecution } from '../store/read-execution.ts'
import { eventsOf, lastStart } from './trace-execution.ts'

type Traced = Pick<StoredExecution, 'definition' | 'input' | 'outcomes' | 'events'>

/**
 * What a step could read when it began: the context, and what the steps had made that were over by then. What was told is numbered, so
 * this is exact also for steps that ran side by side. Undefined when it has not begun.
 */
export function scopeOf(
  { definition, input, outcomes, events }: Traced,
  stepId: string,
  item: number,
): Scope | undefined {
  const told = eventsOf(events, item)
  const begun = lastStart(told.filter(({ data }) => data['step_id'] === stepId))
  if (begun === undefined) return undefined
  const over = new Set(
    told
      .filter(({ seq, type }) => type === 'step_completed' && seq < begun.seq)
      .map(({ data }) => data['step_id']),
  )
  const memory = Object.assign(Object.create(null) as Record<string, unknown>, input.memory)
  const steps = Object.create(null) as Record<string, unknown>
  for (const outcome of outcomes) {
    const reused = outcome.details['reused_from'] !== undefined
    if (outcome.item !== item || outcome.state !== 'completed' || !(reused || over.has(outcome.stepId)))
      continue
    steps[outcome.stepId] = outcome.output
    const key = definition.steps.find(({ id }) => id === outcome.stepId)?.output_to_memory
    if (key !== undefined) memory[key] = outcome.output
  }
  return { context: itemContext(input.context, input.batch, item), memory, steps }
}

/** What a step was given to do, with everything filled in: told again from the same values, for nothing of it is stored. */
export function whatWasAsked(step: Step, scope: Scope): Readonly<Record<string, unknown>> {
  try {
    return fill(step, scope)
  } catch (error) {
    // What was too long to be filled in then is so now.
    if (error instanceof StepFailure) return { problem: error.message }
    throw error
  }
}

function fill(step: Step, scope: Scope): Readonly<Record<string, unknown>> {
  switch (step.type) {
    case 'ai_prompt': {
      const system = fillText(step.ai_options?.system_prompt ?? '', scope).value
      return { prompt: fillText(step.prompt, scope).value, system: system === '' ? null : system }
    }
    case 'agent':
      return {
        agent: step.agent,
        input: fillValue(step.input ?? '{{content}}', scope).value,
        instructions: step.instructions === undefined ? null : fillText(step.instructions, scope).value,
        parameters: fillValue(step.parameters ?? {}, scope).value,
      }
    case 'external_api':
      return {
        method: step.api.method ?? (step.api.body === undefined ? 'GET' : 'POST'),
        url: redactAddress(fillText(step.api.url, scope, (value) => encodeURIComponent(asText(value))).value),
        // By name alone: what they hold is often a secret.
        headers: Object.keys(step.api.headers ?? {}),
        body: fillValue(step.api.body, scope).value ?? null,
      }
    case 'conditional':
      return {
        compared: step.conditions.map(({ field, operator, value }) => ({
          field,
          operator,
          value: value ?? null,
          found: lookUp(scope, field) ?? null,
        })),
      }
    default:
      return { sources: sourcesOf(step, scope) }
  }
}

/** What transformations worked on; what one made for the next is no source of the step. */
function sourcesOf({ transformations }: DataTransformStep, scope: Scope): Readonly<Record<string, unknown>> {
  const named = transformations.flatMap(({ sources = [] }) => sources).filter((path) => path !== 'previous')
  return {
    ...(transformations[0]?.sources === undefined && scope.memory),
    ...Object.fromEntries(named.map((path) => [path, lookUp(scope, path) ?? null])),
  }
}
