import { describe, expect, test } from 'vitest'
import type { DataTransformStep } from '../definition/step-types.ts'
import { runDataTransform } from './data-transform.ts'
import { createStepExecutor } from './run-step.ts'
import type { StepRun } from './step-run.ts'

type Transformation = DataTransformStep['transformations'][number]

function transform(content: unknown, ...transformations: Transformation[]) {
  const step: DataTransformStep = { id: 'a', type: 'data_transform', transformations }
  const scope = { memory: {}, context: { content }, steps: {} }
  const run: Partial<StepRun<DataTransformStep>> = {
    step,
    scope,
    failedProducerOf: () => undefined,
    log: () => undefined,
  }
  return runDataTransform(run as StepRun<DataTransformStep>)
}

const metrics: Transformation = { operation: 'calculate_metrics', sources: ['content'] }

describe('transformations', () => {
  test.each<[string, Transformation]>([
    [
      'texts',
      {
        operation: 'generate_summary',
        sources: ['content'],
        template: '{{previous}}{{previous}}{{content}}',
      },
    ],
    ['lists', { operation: 'merge', sources: ['previous', 'previous', 'content'], merge_strategy: 'concat' }],
    ['objects', { operation: 'merge', sources: ['previous', 'previous', 'content'] }],
  ])('that double their %s repeatedly fail before memory runs out', async (_what, one) => {
    const doubled = transform([['x'.repeat(1000)]], ...Array<Transformation>(50).fill(one))
    await expect(doubled).rejects.toMatchObject({ code: 'MEMORY_LIMIT_EXCEEDED' })
  })

  test('calculate metrics of fields with any name', async () => {
    const content = JSON.parse('{"constructor": 4, "__proto__": 6, "toString": 8}')
    const { output } = await transform(content, { ...metrics, calculation_method: 'sum' })
    expect(output).toMatchObject({ overall: 18, values: 3 })
    expect(Object.keys((output as { metrics: object }).metrics).sort()).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
  })

  test.each([
    ['count', 200_000],
    ['max', 199_999],
    ['min', 0],
    ['average', 99_999.5],
    ['median', 99_999.5],
  ] as const)('calculate the %s of very many numbers', async (calculation_method, overall) => {
    const { output } = await transform(
      Array.from({ length: 200_000 }, (_, index) => index),
      { ...metrics, calculation_method },
    )
    expect(output).toMatchObject({ metrics: { value: overall }, values: 200_000 })
  })

  test('fail when the sum of numbers exceeds the number range', async () => {
    await expect(transform([1e308, 1e308], { ...metrics, calculation_method: 'sum' })).rejects.toMatchObject({
      code: 'INVALID_STEP',
    })
  })

  test('draw a chart of limited size for any number and length of names', async () => {
    const content = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${'n'.repeat(1000)}${index}`, index]),
    )
    const { output } = await transform(content, { ...metrics, include_visualizations: true })
    expect((output as { chart: string }).chart.length).toBeLessThan(10_000)
  })

  test('merge keys with any name', async () => {
    const content = JSON.parse('{"a": {"__proto__": {"x": 1}}, "b": 1}')
    const { output } = await transform(content, { operation: 'merge', sources: ['content', 'content.a'] })
    expect(JSON.stringify(output)).toBe('{"a":{"__proto__":{"x":1}},"b":1,"__proto__":{"x":1}}')
  })
})

test('an output that is nested too deeply fails its step', async () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  const run = createStepExecutor({
    runAgent: async () => ({ output: deep }),
  } as unknown as Parameters<typeof createStepExecutor>[0])
  const asked = { step: { id: 'a', type: 'agent', agent: 'x' } } as StepRun
  await expect(run(asked)).rejects.toMatchObject({ code: 'INVALID_STEP' })
})
