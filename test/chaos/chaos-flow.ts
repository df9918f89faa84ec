/** A flow of the chaos, with all that its executions must have done in the end. */
export interface ChaosFlow {
  readonly definition: { readonly id: string }
  contextOf(number: number): Readonly<Record<string, unknown>>
  /** The end of each step, by its path. */
  expectedSteps(number: number): Readonly<Record<string, ExpectedStep>>
  /** How many waits an execution opens. */
  readonly waits: number
}

/** The output is equal to `output`, or an object with the fields of `contains`; without both it is not checked. */
export interface ExpectedStep {
  readonly state: string
  readonly output?: unknown
  readonly contains?: Readonly<Record<string, unknown>>
}

/** Two parallel steps, a condition, a step that half of the executions skip, a transform, and a loop. */
const definition = {
  id: 'chaos',
  label: 'What must survive',
  steps: [
    prompt('left', []),
    prompt('right', []),
    {
      id: 'gate',
      type: 'conditional',
      dependencies: ['left', 'right'],
      conditions: [
        {
          field: 'context.even',
          operator: '==',
          value: true,
          action: { type: 'jump_to_step', target_step: 'sum' },
        },
      ],
    },
    prompt('extra', ['gate']),
    {
      id: 'sum',
      type: 'data_transform',
      dependencies: ['extra'],
      transformations: [{ operation: 'merge', sources: ['left', 'right'] }],
    },
    {
      id: 'each',
      type: 'for_each',
      items: 'context.list',
      concurrency: 2,
      steps: [prompt('square', [])],
    },
  ],
}

const list = [0, 1, 2]
const isEven = (number: number) => number % 2 === 0

/** The output of a prompt of the flow. */
export function answerOf(stepId: string, number: number): Readonly<Record<string, number>> {
  if (stepId === 'left') return { doubled: number * 2 }
  if (stepId === 'right') return { next: number + 1 }
  return { squared: number * number }
}

/** The output of the condition is not checked. */
function expectedSteps(number: number): Readonly<Record<string, ExpectedStep>> {
  const left = answerOf('left', number)
  const right = answerOf('right', number)
  const square = { state: 'completed', output: answerOf('square', number) }
  return {
    left: { state: 'completed', output: left },
    right: { state: 'completed', output: right },
    gate: { state: 'completed' },
    extra: isEven(number)
      ? { state: 'skipped', output: null }
      : { state: 'completed', output: answerOf('extra', number) },
    sum: { state: 'completed', output: { ...left, ...right } },
    'each/$open': { state: 'completed', output: { items: list } },
    ...Object.fromEntries(
      list.flatMap((index) => [
        [`each/${index}/square`, square],
        [`each/${index}/$end`, square],
      ]),
    ),
    each: {
      state: 'completed',
      output: { results: list.map(() => square.output), errors: [], succeeded: list.length, failed: 0 },
    },
  }
}

function prompt(id: string, dependencies: readonly string[]) {
  return { id, type: 'ai_prompt', prompt: 'Count.', dependencies, output_to_memory: id }
}

export const chaosFlow: ChaosFlow = {
  definition,
  contextOf: (number) => ({ number, even: isEven(number), list }),
  expectedSteps,
  waits: 0,
}
