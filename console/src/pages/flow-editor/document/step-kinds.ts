import type { DraftStep } from './flow-document.ts'
import type { JsonObject } from './json.ts'
import { allSteps, mapSteps, stepsInside } from './scopes.ts'

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
    type: 'repeat_until',
    title: 'Repeat until',
    about: 'Runs its steps again until a condition is true.',
    beginsWith: {
      until: { field: 'steps.attempt', operator: 'exists' },
      max_iterations: 5,
      steps: [{ id: 'attempt', type: 'ai_prompt', prompt: 'Improve the text.\n\n{{previous ?? ""}}' }],
    },
  },
  {
    type: 'sub_flow',
    title: 'Sub-flow',
    about: 'Runs another flow as one step; its result is the output.',
    beginsWith: { flow: 'summarise_and_translate', input: { content: '{{content}}' } },
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
  {
    type: 'tool_agent',
    title: 'Agent with tools',
    about: 'A model calls tools, turn by turn, until it has an answer.',
    beginsWith: {
      prompt: 'Answer the question with the help of your tools.\n\n{{content}}',
      tools: [{ type: 'builtin', name: 'calculator' }],
    },
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

/** A step whose work is the steps in its field `steps`. */
interface Container {
  /** One run through the steps, such as Item. */
  readonly scope: string
  /** Names that the steps can read besides the outputs of steps. */
  readonly variables: (step: DraftStep) => readonly Variable[]
}

interface Variable {
  readonly name: string
  readonly about: string
}

/** The step types that are containers. */
const containers: Readonly<Record<string, Container>> = {
  for_each: {
    scope: 'Item',
    variables: ({ as }) => [
      { name: typeof as === 'string' && as !== '' ? as : 'item', about: 'the item' },
      { name: 'index', about: 'the position of the item, from 0' },
    ],
  },
  repeat_until: {
    scope: 'Iteration',
    variables: () => [
      { name: 'previous', about: 'the result of the previous iteration' },
      { name: 'index', about: 'the number of the iteration, from 0' },
    ],
  },
}

/** A type that the table lacks is a container when it has steps. */
const unknownContainer: Container = { scope: 'Steps', variables: () => [] }

/** The container part of a step; undefined where the step is no container. */
export function containerOf(step: DraftStep): Container | undefined {
  const known = Object.hasOwn(containers, step.type) ? containers[step.type] : undefined
  return known ?? (stepsInside(step).length > 0 ? unknownContainer : undefined)
}

export function isContainer(step: DraftStep): boolean {
  return containerOf(step) !== undefined
}

/** A new step whose ID, and those of the steps inside, no step of the flow has. */
export function newStep(kind: StepKind, { steps }: { readonly steps: readonly DraftStep[] }): DraftStep {
  const agent = kind.beginsWith['agent']
  const stem = typeof agent === 'string' ? agent : kind.type === 'ai_prompt' ? 'ask' : firstIds[kind.type]
  const taken = allSteps(steps).map(({ id }) => ({ id }))
  const free = (name: string): string => {
    const id = freeId(name, taken)
    taken.push({ id })
    return id
  }
  const step: DraftStep = { id: free(stem ?? kind.type), type: kind.type, ...kind.beginsWith }
  const inside = mapSteps(stepsInside(step), (inner) => ({ ...inner, id: free(inner.id) }))
  return inside.length === 0 ? step : { ...step, steps: inside }
}

const firstIds: Readonly<Record<string, string>> = {
  conditional: 'decide',
  external_api: 'call',
  data_transform: 'transform',
  for_each: 'each',
  repeat_until: 'repeat',
  sub_flow: 'call_flow',
  tool_agent: 'agent',
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
