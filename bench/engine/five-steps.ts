/** What each step of every contender makes: about 200 bytes. */
export const output = {
  text: 'A step of the benchmark leaves a text behind that is as long as that of a small one. '
    .repeat(2)
    .trim(),
  tokens: 42,
}

export const stepNames = ['one', 'two', 'three', 'four', 'five'] as const

/** Five light steps in a row, none of which waits for anybody: what is measured is keeping them. */
export const fiveSteps = {
  id: 'five_steps',
  label: 'Five steps in a row',
  steps: [
    transform('one', []),
    decide('two', ['one']),
    transform('three', ['two']),
    decide('four', ['three']),
    transform('five', ['four']),
  ],
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
