import { redactAddress } from '../definition/credentials.ts'
import type { DataTransformStep, Step } from '../definition/step-types.ts'
import { itemContext } from '../execution/item-context.ts'
import { lookUp, type Scope } from '../expressions/path.ts'
import { asText, fillText, fillValue } from '../expressions/template.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { ExecutionEvent } from '../store/commit.ts'
import type { StoredExecution } from '../store/read-execution.ts'

/** The input of a step, reconstructed from the journal and the outputs of other steps: it is not stored. */
export interface StepInput {
  /** The shared memory when the step started. */
  readonly memory: Scope['memory']
  /** The step's own fields with all placeholders filled, for example its prompt. */
  readonly request: Readonly<Record<string, unknown>>
}

interface StartedStep {
  readonly step: Step
  readonly item: number
  /** The number of the event of its last start. */
  readonly startSeq: number
  /** The events of all steps of the item. */
  readonly events: readonly ExecutionEvent[]
}

export function readStepInput(
  execution: Pick<StoredExecution, 'definition' | 'input' | 'outcomes'>,
  started: StartedStep,
): StepInput {
  const scope = scopeAtStart(execution, started)
  return { memory: scope.memory, request: filledRequest(started.step, scope) }
}

/** The context, and the outputs of all steps that had completed when the step started. Events are numbered, so this is exact. */
function scopeAtStart(
  { definition, input, outcomes }: Pick<StoredExecution, 'definition' | 'input' | 'outcomes'>,
  { item, startSeq, events }: StartedStep,
): Scope {
  const completed = new Set(
    events
      .filter(({ seq, type }) => type === 'step_completed' && seq < startSeq)
      .map(({ data }) => data['step_id']),
  )
  const memory = Object.assign(Object.create(null) as Record<string, unknown>, input.memory)
  const steps = Object.create(null) as Record<string, unknown>
  for (const outcome of outcomes) {
    const reused = outcome.details['reused_from'] !== undefined
    if (outcome.item !== item || outcome.state !== 'completed' || !(reused || completed.has(outcome.stepId)))
      continue
    steps[outcome.stepId] = outcome.output
    const key = definition.steps.find(({ id }) => id === outcome.stepId)?.output_to_memory
    if (key !== undefined) memory[key] = outcome.output
  }
  return { context: itemContext(input.context, input.batch, item), memory, steps }
}

function filledRequest(step: Step, scope: Scope): Readonly<Record<string, unknown>> {
  try {
    return fill(step, scope)
  } catch (error) {
    // The filled text exceeds its limit, as it did when the step ran.
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
        // Only the names: header values are often secrets.
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

/** The sources of all transformations, except the outputs they pass to each other. */
function sourcesOf({ transformations }: DataTransformStep, scope: Scope): Readonly<Record<string, unknown>> {
  const named = transformations.flatMap(({ sources = [] }) => sources).filter((path) => path !== 'previous')
  return {
    ...(transformations[0]?.sources === undefined && scope.memory),
    ...Object.fromEntries(named.map((path) => [path, lookUp(scope, path) ?? null])),
  }
}
