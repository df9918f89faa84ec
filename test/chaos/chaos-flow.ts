/** Two parallel steps, a condition, a step that half of the executions skip, a transform, and a loop. */
export const chaosFlow = {
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

export interface ChaosContext {
  readonly number: number
  readonly even: boolean
  readonly list: readonly number[]
}

export function chaosContext(number: number): ChaosContext {
  return { number, even: number % 2 === 0, list: [0, 1, 2] }
}

/** The output of a prompt of the flow. */
export function answerOf(stepId: string, number: number): Readonly<Record<string, number>> {
  if (stepId === 'left') return { doubled: number * 2 }
  if (stepId === 'right') return { next: number + 1 }
  return { squared: number * number }
}

/** The expected end and output of each step. The output of the condition is not checked. */
export function expectedSteps(
  number: number,
): Readonly<Record<string, { readonly state: string; readonly output?: unknown }>> {
  const left = answerOf('left', number)
  const right = answerOf('right', number)
  const { even, list } = chaosContext(number)
  const square = { state: 'completed', output: answerOf('square', number) }
  return {
    left: { state: 'completed', output: left },
    right: { state: 'completed', output: right },
    gate: { state: 'completed' },
    extra: even
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
