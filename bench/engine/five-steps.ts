/** The output of each step of every contender: about 200 bytes. */
export const output = {
  text: 'A step of the benchmark leaves a text behind that is as long as that of a small one. '
    .repeat(2)
    .trim(),
  tokens: 42,
}

export const stepNames = ['one', 'two', 'three', 'four', 'five'] as const

/** Five sequential pure steps, which share one commit. */
export const computingSteps = {
  id: 'computing_steps',
  label: 'Five steps that compute',
  steps: [
    transform('one', []),
    decide('two', ['one']),
    transform('three', ['two']),
    decide('four', ['three']),
    transform('five', ['four']),
  ],
}

/** Five sequential steps with side effects: each starts when the previous one is committed. */
export const outsideSteps = {
  id: 'outside_steps',
  label: 'Five steps that reach outside',
  steps: stepNames.map((id, index) => ({
    id,
    type: 'external_api',
    dependencies: stepNames.slice(index - 1, index),
    output_to_memory: id,
    api: { url: 'https://example.com/' },
  })),
}

function transform(id: string, dependencies: readonly string[]) {
  return {
    id,
    type: 'data_transform',
    dependencies,
    output_to_memory: id,
    transformations: [{ operation: 'merge', sources: ['context.given'] }],
  }
}

function decide(id: string, dependencies: readonly string[]) {
  return {
    id,
    type: 'conditional',
    dependencies,
    conditions: [
      {
        field: 'context.given.tokens',
        operator: '>',
        value: 10,
        action: { type: 'continue', reason: output.text },
      },
    ],
  }
}
