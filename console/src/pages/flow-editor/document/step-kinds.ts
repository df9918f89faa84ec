import type { DraftStep } from './flow-document.ts'
import type { JsonObject } from './json.ts'

/** A step type or an agent that the palette offers. */
export interface StepKind {
  readonly type: string
  readonly title: string
  readonly about: string
  /** The fields of a new step, so that it can run without edits where that is possible. */
  readonly beginsWith: JsonObject
}

export const stepKinds = [
  {
    type: 'ai_prompt',
    title: 'Prompt',
    about: 'Sends a prompt to a model and stores the answer. With routing, the model chooses the next step.',
    beginsWith: { prompt: 'Summarise the text.\n\n{{content}}' },
  },
  {
    type: 'conditional',
    title: 'Condition',
    about: 'Compares values and takes the branch of the first condition that is true.',
    beginsWith: {
      conditions: [{ field: 'content', operator: 'exists', action: { type: 'continue' } }],
    },
  },
  {
    type: 'external_api',
    title: 'HTTP request',
    about: 'Sends a request to another service and stores the response.',
    beginsWith: { api: { url: 'https://example.com/', method: 'GET' } },
  },
  {
    type: 'data_transform',
    title: 'Transform',
    about: 'Merges, calculates and aggregates the output of other steps.',
    beginsWith: { transformations: [{ operation: 'merge' }] },
  },
  {
    type: 'for_each',
    title: 'For each',
    about: 'Runs its steps for every item of a list, several in parallel.',
    beginsWith: {
      items: 'items',
      steps: [{ id: 'per_item', type: 'ai_prompt', prompt: 'Summarise: {{item}}' }],
    },
  },
  {
    type: 'wait',
    title: 'Wait',
    about: 'Waits for a duration, or until a time. No worker is busy meanwhile.',
    beginsWith: { duration: '1h' },
  },
  {
    type: 'wait_for_event',
    title: 'Wait for event',
    about: 'Waits until another system sends an event with this key.',
    beginsWith: { event: 'payment.received', correlation_key: '{{order_id}}' },
  },
  {
    type: 'human',
    title: 'Human task',
    about: 'Asks a person, and continues with the answer.',
    beginsWith: { message: 'Please check this text.\n\n{{content}}' },
  },
] as const satisfies readonly StepKind[]

/** The step type of an agent of the catalogue. */
export function agentKind({ id, label }: { readonly id: string; readonly label: string }): StepKind {
  return {
    type: 'agent',
    title: label,
    about: 'Runs an agent of the catalogue.',
    beginsWith: { agent: id },
  }
}

/** A new step with an unused ID. */
export function newStep(kind: StepKind, steps: readonly DraftStep[]): DraftStep {
  const agent = kind.beginsWith['agent']
  const stem = typeof agent === 'string' ? agent : kind.type === 'ai_prompt' ? 'ask' : firstIds[kind.type]
  return { id: freeId(stem ?? kind.type, steps), type: kind.type, ...kind.beginsWith }
}

const firstIds: Readonly<Record<string, string>> = {
  conditional: 'decide',
  external_api: 'call',
  data_transform: 'transform',
  for_each: 'each',
}

/** `name`, or `name_2`, `name_3` where it is taken. */
export function freeId(name: string, steps: readonly Pick<DraftStep, 'id'>[]): string {
  const taken = new Set(steps.map(({ id }) => id))
  // Leaves space for the number: IDs have at most 64 characters.
  const stem = name.slice(0, 58)
  let id = stem
  for (let count = 2; taken.has(id); count += 1) id = `${stem}_${count}`
  return id
}
