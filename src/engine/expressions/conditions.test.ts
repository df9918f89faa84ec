import { describe, expect, test } from 'vitest'
import type { Test } from '../definition/common-step.ts'
import { checkCondition } from '../definition/kinds/check-values.ts'
import { inCondition } from '../definition/kinds/used-paths.ts'
import { describeTest, isTrue, readTest } from './conditions.ts'
import { type Evaluated, evaluateInline } from './evaluate.ts'
import type { Scope } from './paths.ts'

const scope: Scope = {
  memory: { score: 62, language: 'de', tags: ['draft'] },
  context: {},
  steps: {},
}
const evaluate = async (source: string): Promise<Evaluated> =>
  evaluateInline(source, scope) ?? { kind: 'failed', problem: { message: 'needs a thread', position: null } }

const yes: Test = { field: 'score', operator: '>', value: 60 }
const times = (count: number): Test[] => Array.from({ length: count }, () => yes)
const no: Test = { field: 'score', operator: '>', value: 70 }

describe('a condition', () => {
  test.each<[boolean, Test, string]>([
    [true, yes, 'score > 60'],
    [true, { all: [yes, { expression: 'language == "de"' }] }, 'score > 60 and (language == "de")'],
    [false, { all: [yes, no] }, 'score > 60 and score > 70'],
    [true, { any: [no, yes] }, 'score > 70 or score > 60'],
    [false, { any: [no, no] }, 'score > 70 or score > 70'],
    [true, { not: no }, 'not (score > 70)'],
    [true, { any: [{ all: [yes, no] }, { not: no }] }, '(score > 60 and score > 70) or not (score > 70)'],
    [
      true,
      { expression: 'score > 60 && language in ["de", "fr"]' },
      'score > 60 && language in ["de", "fr"]',
    ],
    // A missing value is false, as in a comparison.
    [false, { expression: 'missing.score > 60' }, 'missing.score > 60'],
    [true, { not: { expression: 'missing.score > 60' } }, 'not (missing.score > 60)'],
    [false, { field: 'missing', operator: '>', value: 1 }, 'missing > 1'],
  ])('%s: %j', async (result, condition, text) => {
    expect(checkCondition(condition, 'at')).toEqual([])
    expect(await isTrue(readTest(condition), scope, evaluate)).toBe(result)
    expect(describeTest(condition)).toBe(text)
  })

  test.each<[string]>([['score + 1'], ['language > 3'], ['tags.sort()']])(
    'with the expression %s fails',
    async (expression) => {
      await expect(isTrue(readTest({ expression }), scope, evaluate)).rejects.toMatchObject({
        code: 'EXPRESSION_FAILED',
      })
    },
  )

  test('does not evaluate what no longer matters', async () => {
    const wrong: Test = { expression: 'language > 3' }
    expect(await isTrue(readTest({ any: [yes, wrong] }), scope, evaluate)).toBe(true)
    expect(await isTrue(readTest({ all: [no, wrong] }), scope, evaluate)).toBe(false)
  })

  const deep = (levels: number): Test => (levels === 1 ? yes : { not: deep(levels - 1) })

  test.each<[string, Test, string, string]>([
    ['no form', {}, 'at.field', 'required'],
    ['a field without an operator', { field: 'score' }, 'at.operator', 'required'],
    ['two forms', { ...yes, expression: 'true' }, 'at', 'one_of'],
    ['a value without a field', { expression: 'true', value: 1 }, 'at.value', 'no_effect'],
    ['a wrong expression', { expression: 'a +' }, 'at.expression', 'expression'],
    [
      'a wrong comparison inside',
      { all: [{ field: 'a', operator: 'in', value: 1 }] },
      'at.all[0].value',
      'value',
    ],
    ['an unknown field inside', { not: { wrong: 1 } }, 'at.not.wrong', 'unknown_field'],
    ['an action inside', { any: [{ ...yes, action: {} }] }, 'at.any[0].action', 'unknown_field'],
    [
      'an operator that does not exist',
      { any: [{ field: 'a', operator: '~' }] },
      'at.any[0].operator',
      'choice',
    ],
    ['six levels', deep(6), 'at.not.not.not.not.not', 'too_deep'],
    ['101 comparisons', { all: [{ all: times(60) }, { all: times(60) }] }, 'at.all[1].all[40]', 'too_many'],
  ])('with %s has a problem', (_what, condition, path, code) => {
    expect(checkCondition(condition, 'at')).toEqual([expect.objectContaining({ path, code })])
  })

  test('of five levels and 100 comparisons is allowed', () => {
    expect(checkCondition(deep(5), 'at')).toEqual([])
    expect(checkCondition({ all: times(100) }, 'at')).toEqual([])
  })

  test('names the paths it reads', () => {
    expect(
      inCondition({ all: [yes, { not: { expression: 'steps.a.n > 1 && now > date(due)' } }] }, 'c'),
    ).toEqual([
      { path: 'score', at: 'c.all[0].field', mayBeMissing: true },
      { path: 'steps.a.n', at: 'c.all[1].not.expression', mayBeMissing: true },
      { path: 'due', at: 'c.all[1].not.expression', mayBeMissing: true },
    ])
    expect(inCondition('score < 70', 'c')).toEqual([{ path: 'score', at: 'c.field', mayBeMissing: true }])
  })
})
