import { afterAll, describe, expect, test } from 'vitest'
import { dataTransform } from '../definition/kinds/data-transform.ts'
import type { DataTransformStep } from '../definition/step-types.ts'
import { createExpressionEvaluator } from '../expressions/evaluator.ts'
import type { Scope } from '../expressions/paths.ts'
import { runDataTransform } from './data-transform.ts'
import type { StepRun } from './step-run.ts'

const evaluator = createExpressionEvaluator({ expressionMs: 20_000, transformationMs: 20_000 })
afterAll(() => evaluator[Symbol.asyncDispose]())

const scope: Scope = {
  memory: {
    orders: [
      { id: 1, customer: 'a', total: 20 },
      { id: 2, customer: 'b', total: 5 },
      { id: 3, customer: 'a', total: 7 },
    ],
    customers: [{ id: 'a', label: 'Alpha' }],
    least: 6,
    csv: 'id,total\n1,20\n2,5\n',
    page: '<ul><li>One</li><li>Two</li></ul>',
  },
  context: {},
  steps: {},
}

type Transformations = DataTransformStep['transformations']

async function transform(transformations: Transformations, warnings: string[] = []): Promise<unknown> {
  const step: DataTransformStep = { id: 's', type: 'data_transform', transformations }
  expect(dataTransform.check(step, 'steps[0]')).toEqual([])
  const run = {
    step,
    scope,
    evaluator,
    accountId: 'tester',
    signal: new AbortController().signal,
    failedProducerOf: () => undefined,
    log: (_level, message) => void warnings.push(message),
  } satisfies Partial<StepRun> as unknown as StepRun<DataTransformStep>
  return (await runDataTransform(run)).output
}

describe('a transformation', () => {
  test.each<[string, Transformations, unknown]>([
    [
      'expression',
      [{ operation: 'expression', expression: '{"n": orders.size(), "sum": orders.sum(o, o.total)}' }],
      { n: 3, sum: 32 },
    ],
    [
      'filter',
      [
        { operation: 'filter', source: 'orders', where: 'item.total > least' },
        { operation: 'map', expression: 'item.id' },
      ],
      [1, 3],
    ],
    [
      'map',
      [{ operation: 'map', source: 'orders', expression: 'string(index) + item.customer' }],
      ['0a', '1b', '2a'],
    ],
    [
      'sort',
      [
        { operation: 'sort', source: 'orders', by: 'item.total', order: 'desc' },
        { operation: 'map', expression: 'item.id' },
      ],
      [1, 3, 2],
    ],
    [
      'group',
      [
        {
          operation: 'group',
          source: 'orders',
          by: 'item.customer',
          aggregates: { sum: 'items.sum(i, i.total)', name: 'key.upper()' },
        },
      ],
      [
        { key: 'a', sum: 27, name: 'A' },
        { key: 'b', sum: 5, name: 'B' },
      ],
    ],
    [
      'aggregate',
      [{ operation: 'aggregate', source: 'orders', aggregates: { most: 'items.max(i, i.total)' } }],
      { most: 20 },
    ],
    [
      'join',
      [
        {
          operation: 'join',
          left: 'orders',
          right: 'customers',
          left_key: 'item.customer',
          right_key: 'item.id',
          kind: 'left',
        },
        { operation: 'map', expression: 'item.?label.orValue("none")' },
      ],
      ['Alpha', 'none', 'Alpha'],
    ],
    [
      'split',
      [
        { operation: 'split', source: 'orders', size: 2 },
        { operation: 'map', expression: 'item.size()' },
      ],
      [2, 1],
    ],
    [
      'parse of CSV',
      [
        { operation: 'parse', format: 'csv', source: 'csv' },
        { operation: 'map', expression: 'double(item.total) * 2' },
      ],
      [40, 10],
    ],
    [
      'parse of CSV without a header',
      [
        { operation: 'parse', format: 'csv', source: 'csv', header: false },
        { operation: 'expression', expression: 'previous[1]' },
      ],
      ['1', '20'],
    ],
    [
      'parse of HTML',
      [
        { operation: 'parse', format: 'html', source: 'page', selector: 'li' },
        { operation: 'map', expression: 'item.text' },
      ],
      ['One', 'Two'],
    ],
    ['parse of lines', [{ operation: 'parse', format: 'lines', source: 'csv' }], ['id,total', '1,20', '2,5']],
    [
      'summary with an expression',
      [
        {
          operation: 'generate_summary',
          sources: ['orders'],
          template: '{{= orders.map(o, string(o.id)).join("+") }} {{missing ?? "-"}}',
        },
      ],
      '1+2+3 -',
    ],
    [
      'merge after a list',
      [
        { operation: 'filter', source: 'orders', where: 'index == 0' },
        { operation: 'merge', merge_strategy: 'concat' },
      ],
      [{ id: 1, customer: 'a', total: 20 }],
    ],
  ])('%s', async (_name, transformations, output) => {
    expect(await transform(transformations)).toEqual(output)
  })

  test('warns about missing values', async () => {
    const warnings: string[] = []
    expect(
      await transform([{ operation: 'map', source: 'orders', expression: 'item.weight' }], warnings),
    ).toEqual([null, null, null])
    expect(warnings).toEqual([
      expect.stringContaining('In 3 cases a value was missing, and null was used: entry 0: "weight"'),
    ])
  })

  test('warns about entries whose condition is neither true nor false', async () => {
    const warnings: string[] = []
    const where = 'item.customer == "b" ? item.total : item.total > 10'
    expect(await transform([{ operation: 'filter', source: 'orders', where }], warnings)).toEqual([
      { id: 1, customer: 'a', total: 20 },
    ])
    expect(warnings).toEqual([
      'In 1 case the condition was neither true nor false, and the entry was left out: entry 1: a number.',
    ])
    warnings.length = 0
    await transform([{ operation: 'filter', source: 'orders', where: 'item.weight' }], warnings)
    expect(warnings).toEqual([expect.stringContaining('In 3 cases a value was missing')])
  })

  test.each(['asc', 'desc'] as const)(
    'sorts null last, and keeps the order of equal entries: %s',
    async (order) => {
      const rows = '[{"n": null, "i": 0}, {"n": 1, "i": 1}, {"n": 2, "i": 2}, {"n": 1, "i": 3}]'
      const sorted = await transform([
        { operation: 'expression', expression: rows },
        { operation: 'sort', by: 'item.n', order },
        { operation: 'map', expression: 'item.i' },
      ])
      expect(sorted).toEqual(order === 'asc' ? [1, 3, 2, 0] : [2, 1, 3, 0])
    },
  )

  test.each<[string, Transformations, string]>([
    ['a list that is none', [{ operation: 'filter', source: 'least', where: 'true' }], 'INVALID_STEP'],
    ['a list that is missing', [{ operation: 'filter', source: 'missing', where: 'true' }], 'INVALID_STEP'],
    ['a text that is none', [{ operation: 'parse', format: 'csv', source: 'orders' }], 'INVALID_STEP'],
    ['a text that is not JSON', [{ operation: 'parse', format: 'json', source: 'csv' }], 'EXPRESSION_FAILED'],
    [
      'an expression that fails',
      [{ operation: 'map', source: 'orders', expression: 'item.customer + 1' }],
      'EXPRESSION_FAILED',
    ],
  ])('of %s fails', async (_name, transformations, code) => {
    await expect(transform(transformations)).rejects.toMatchObject({ code })
  })

  test('splits a text between characters', async () => {
    const parts = (await transform([
      { operation: 'expression', expression: '"ab😀cd"' },
      { operation: 'split', size: 3 },
    ])) as string[]
    expect(parts.join('')).toBe('ab😀cd')
    expect(parts).toEqual(['ab', '😀c', 'd'])
  })

  test.each<[string, Transformations[number], string]>([
    ['a field of another operation', { operation: 'filter', source: 'a', where: 'true', size: 1 }, 'size'],
    ['no condition', { operation: 'filter', source: 'a' }, 'where'],
    ['no source in the first one', { operation: 'map', expression: '1' }, 'source'],
    ['a wrong expression', { operation: 'map', source: 'a', expression: 'item +' }, 'expression'],
    [
      'a wrong aggregate',
      { operation: 'aggregate', source: 'a', aggregates: { sum: 'items.sum(' } },
      'aggregates.sum',
    ],
    ['a selector for CSV', { operation: 'parse', format: 'csv', source: 'a', selector: 'li' }, 'selector'],
    ['no selector for HTML', { operation: 'parse', format: 'html', source: 'a' }, 'selector'],
  ])('with %s has a problem', (_name, transformation, field) => {
    const step: DataTransformStep = { id: 's', type: 'data_transform', transformations: [transformation] }
    expect(dataTransform.check(step, 'at').map(({ path }) => path)).toEqual([
      `at.transformations[0].${field}`,
    ])
  })

  test('names the paths it reads, without its own variables', () => {
    const step: DataTransformStep = {
      id: 's',
      type: 'data_transform',
      transformations: [
        { operation: 'filter', source: 'steps.fetch.rows', where: 'item.n > least' },
        { operation: 'group', by: 'item.k', aggregates: { n: 'items.size() + previous.size() + extra' } },
      ],
    }
    expect(dataTransform.pathsUsed(step).map(({ path }) => path)).toEqual([
      'steps.fetch.rows',
      'least',
      'extra',
    ])
  })
})
