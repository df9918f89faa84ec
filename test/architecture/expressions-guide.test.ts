import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { checkFlow } from '#engine'
import type { Test } from '../../src/engine/definition/common-step.ts'
import { checkCondition } from '../../src/engine/definition/kinds/check-values.ts'
import { isTrue, readTest } from '../../src/engine/expressions/conditions.ts'
import { createExpressionEvaluator } from '../../src/engine/expressions/evaluator.ts'
import { dateFunctions } from '../../src/engine/expressions/functions/dates.ts'
import { formatFunctions, noFormatHandlers } from '../../src/engine/expressions/functions/formats.ts'
import { listFunctions, listMacros } from '../../src/engine/expressions/functions/lists.ts'
import { textFunctions } from '../../src/engine/expressions/functions/texts.ts'
import type { Scope } from '../../src/engine/expressions/paths.ts'

const guide = readFileSync('docs/guides/flow-expressions.md', 'utf8')
const evaluator = createExpressionEvaluator({ expressionMs: 20_000 })
afterAll(() => evaluator[Symbol.asyncDispose]())

function block(name: string): unknown {
  const [, json = ''] = new RegExp(`^\`\`\`json ${name}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide) ?? []
  return JSON.parse(json)
}

const scope: Scope = { memory: block('data') as Record<string, unknown>, context: {}, steps: {} }
const evaluate = (source: string) => evaluator.evaluate(source, scope, { accountId: 'reader' })

const [, examples = ''] = /\| expression \| result \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(guide) ?? []
const rows = [...examples.matchAll(/^\| `(.*)` \| `(.*)` \|$/gm)].map(
  ([, source = '', result = '']) => [source, result] as const,
)

test('the guide has at least twenty examples', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(rows.length).toBe(examples.split('\n').length)
})

test.each(rows)('%s is %s', async (source, result) => {
  expect(await evaluate(source)).toEqual({ kind: 'value', value: JSON.parse(result) })
})

test('the conditions of the guide are valid, and true for its data', async () => {
  for (const condition of block('conditions') as Test[]) {
    expect(checkCondition(condition, 'condition')).toEqual([])
    expect(await isTrue(readTest(condition), scope, evaluate), JSON.stringify(condition)).toBe(true)
  }
})

test('the flow of the guide is valid', () => {
  const { problems, requiredInputs } = checkFlow(block('flow'))
  expect([problems, requiredInputs]).toEqual([[], ['limit']])
})

test('the guide names every function of the platform', () => {
  const functions = [
    ...listFunctions,
    ...textFunctions,
    ...dateFunctions,
    ...formatFunctions(noFormatHandlers),
  ]
  const names = [
    ...functions.map(({ signature }) => /(\w+)\(/.exec(signature)?.[1] ?? signature),
    ...listMacros.map(({ name }) => name),
  ]
  const [, table = ''] = /\n## Functions\n([\s\S]*?)\n## /.exec(guide) ?? []
  expect([...new Set(names)].filter((name) => !table.includes(`\`${name}\``))).toEqual([])
})
