import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixtureRoot, readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { readTap } from './tap.ts'
import { readVitestJson } from './vitest-json.ts'

const read = (text: string) => readTap(text, fixtureRoot)
const outcomes = (text: string) => read(text)?.results.map(({ id, outcome }) => [id, outcome])

test('vitest gives the same tests here as in its JSON', () => {
  const fromJson = readVitestJson(readFixture('vitest/report.json'), fixtureRoot)
  const flat = read(readFixture('vitest/flat.tap'))
  expect(flat?.results).toEqual(fromJson?.results)
  expect(flat?.failedSuites).toEqual(['src/broken.test.ts', 'src/empty.test.ts'])
})

test('subtests in braces: a group passes or fails in its own name unless its tests tell why it failed', () => {
  const nested = read(readFixture('vitest/nested.tap'))
  const groups = new Set(['src/add.test.ts > add > nested', 'src/hook.test.ts > with a failing hook'])
  expect(nested?.results.filter((result) => groups.has(result.id)).map((result) => result.outcome)).toEqual([
    'passed',
    'failed',
  ])
  expect(nested?.results.filter((result) => !groups.has(result.id))).toEqual(
    read(readFixture('vitest/flat.tap'))?.results,
  )
  expect(nested?.failedSuites).toEqual(['src/broken.test.ts', 'src/empty.test.ts'])
})

test('node: suites are no tests, a failing todo is skipped, a failure tells its file, a file that did not load', () => {
  const report = read(readFixture('node/report.tap'))
  expect(outcomes(readFixture('node/report.tap'))).toEqual([
    ['add > sums two numbers', 'passed'],
    ['add > fails on <purpose> & "tells" #why', 'failed'],
    ['add > is skipped', 'skipped'],
    ['add > is for later', 'skipped'],
    ['add > nested > subtracts', 'passed'],
    ['steps > first step', 'passed'],
    ['steps > second step', 'failed'],
  ])
  expect(report?.results[1]?.file).toBe('test/add.test.ts')
  expect(report?.failedSuites).toEqual(['test/broken.test.ts'])
})

test('Test::More: subtests stand before the line that sums them up, and a test may have no name', () => {
  expect(outcomes(readFixture('perl/subtests.tap'))).toEqual([
    ['adds', 'passed'],
    ['fails #1 on purpose', 'failed'],
    ['a group > inner', 'passed'],
    ['a group > inner fails', 'failed'],
    ['a passing group > inner', 'passed'],
    ['a passing group', 'passed'],
    ['#5', 'skipped'],
    ['for later', 'skipped'],
  ])
  expect(read(readFixture('perl/subtests.tap'))?.failedSuites).toEqual([])
})

test('a test that fails before its subtests keeps its id when they run later', () => {
  const red = 'TAP version 14\nnot ok 1 - steps\n1..1\n'
  const green = 'TAP version 14\n# Subtest: steps\n    ok 1 - first\n    1..1\nok 1 - steps\n1..1\n'
  expect(outcomes(red)).toEqual([['steps', 'failed']])
  expect(outcomes(green)).toContainEqual(['steps', 'passed'])
})

test('a suite of node that fails by itself is a failed suite', () => {
  const text = "TAP version 13\nnot ok 1 - group\n  ---\n  type: 'suite'\n  ...\n1..1\n"
  expect(read(text)).toEqual({ tool: 'tap', results: [], failedSuites: ['group'] })
})

test('what stands in diagnostics is no test', () => {
  const text =
    'TAP version 13\nok 1 - a\n  ---\n  output: |\n    not ok 7 - b\n    ...\n    not ok 8 - b\n  ...\nok 2 - c\n1..2\n'
  expect(outcomes(text)).toEqual([
    ['a', 'passed'],
    ['c', 'passed'],
  ])
})

test('tells of a run that bailed out, ended before its plan, or has none', () => {
  expect(read(readFixture('perl/bail-out.tap'))?.failedSuites).toEqual(['Bail out!  no database'])
  expect(read('1..3\nok 1 - a\n')?.failedSuites).toEqual(['the report ends early: 1 of 3'])
  expect(read('TAP version 13\nok 1 - a\n')?.failedSuites).toEqual(['the report ends early: 1 of ?'])
  expect(
    read('TAP version 13\n1..1\nok 1 - a\n    ok 1 - of a test that never ended\n')?.failedSuites,
  ).toHaveLength(1)
})

test('a plan of nothing is a report of nothing', () => {
  expect(read('TAP version 13\n1..0 # SKIP not on this system\n')).toEqual({
    tool: 'tap',
    results: [],
    failedSuites: [],
  })
})

test.each([
  ['the ordinary output of go test', 'ok  \texample.com/tiny/add\t0.002s\n'],
  ['prose', 'ok then\nnot ok at all\n'],
])('%s is no report', (_what, text) => {
  expect(read(text)).toBeUndefined()
})

type Tree = { name: string; failed: boolean; inner: readonly Tree[] }

test('subtests come back from both ways to write them, and each failure is told once, where it happened', () => {
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      name: fc.stringMatching(/^[a-z]{1,6}$/),
      failed: fc.boolean(),
      inner: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
    }),
  }))
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), (trees) => {
      const plan = `1..${trees.length}\n`
      const summedUp = read(`TAP version 14\n${trees.map((node) => printSummedUp(node, '')).join('')}${plan}`)
      const inBraces = read(`TAP version 14\n${plan}${trees.map((node) => printInBraces(node, '')).join('')}`)
      expect(summedUp).toEqual(inBraces)
      const failed = summedUp?.results
        .filter((result) => result.outcome === 'failed')
        .map((result) => result.id)
      expect(new Set(failed)).toEqual(new Set(trees.flatMap((node) => failuresOf(node, []))))
      expect(summedUp?.failedSuites).toEqual([])
    }),
  )
})

function isNotOk(tree: Tree): boolean {
  return tree.failed || tree.inner.some(isNotOk)
}

function failuresOf(tree: Tree, path: readonly string[]): string[] {
  const names = [...path, tree.name]
  const inside = tree.inner.flatMap((inner) => failuresOf(inner, names))
  return inside.length === 0 && tree.failed ? [names.join(' > ')] : inside
}

function printSummedUp(tree: Tree, indent: string): string {
  const inner = tree.inner.map((node) => printSummedUp(node, `${indent}    `)).join('')
  return `${indent}# Subtest: ${tree.name}\n${inner}${indent}${isNotOk(tree) ? 'not ok' : 'ok'} - ${tree.name}\n`
}

function printInBraces(tree: Tree, indent: string): string {
  const line = `${indent}${isNotOk(tree) ? 'not ok' : 'ok'} - ${tree.name}`
  if (tree.inner.length === 0) return `${line}\n`
  return `${line} {\n${tree.inner.map((node) => printInBraces(node, `${indent}    `)).join('')}${indent}}\n`
}
