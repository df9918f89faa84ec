import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixtureRoot, readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { readGoTestJson, readTap, readTestReport, readVitestJson } from './read-report.ts'
import { maxReportCharacters } from './report-size.ts'

const fixtures = [
  ['vitest', 'vitest/report.json'],
  ['jest', 'jest/report.json'],
  ['junit', 'vitest/junit.xml'],
  ['junit', 'node/junit.xml'],
  ['junit', 'pytest/junit.xml'],
  ['tap', 'vitest/nested.tap'],
  ['tap', 'node/report.tap'],
  ['tap', 'perl/subtests.tap'],
  ['go', 'go/tests.jsonl'],
  ['go', 'go/build-failure-before-1.24.jsonl'],
] as const

test.each(fixtures)('recognises %s in %s, with any line endings', (tool, name) => {
  const text = readFixture(name)
  const report = readTestReport(text, { root: fixtureRoot })
  expect(report?.tool).toBe(tool)
  expect(readTestReport(text.replaceAll('\n', '\r\n'), { root: fixtureRoot })).toEqual(report)
})

test('ids contain no absolute path; without a root, files are relative to the working directory', () => {
  for (const [, name] of fixtures) {
    const report = readTestReport(readFixture(name), { root: fixtureRoot })
    expect(report?.results.some((result) => result.id.includes(fixtureRoot))).toBe(false)
  }
  const here = readFixture('jest/report.json').replaceAll(fixtureRoot, process.cwd())
  expect(readTestReport(here)?.results[0]?.file).toBe('src/add.test.js')
})

test('a report quoted inside a message of another format is ignored', () => {
  const tap = 'TAP version 13\nok 1 - inner\n1..1\n'
  const junit = `<testsuites><testsuite name="a"><testcase classname="A" name="b"><failure>\n${tap}</failure></testcase></testsuite></testsuites>`
  expect(readTestReport(junit)?.tool).toBe('junit')
  const go = JSON.stringify({ Action: 'output', Package: 'a', Output: junit })
  expect(readTestReport(go)?.tool).toBe('go')
})

test('a text above the size limit is not read', () => {
  const tap = 'TAP version 13\n1..1\nok 1 - a\n# '
  expect(readTestReport(tap.padEnd(maxReportCharacters, '.'))).toBeDefined()
  expect(readTestReport(tap.padEnd(maxReportCharacters + 1, '.'))).toBeUndefined()
})

test('no text makes the reader throw', () => {
  const hints = fc.constantFrom(
    'TAP version 13\n',
    '1..2\n',
    'not ok 1 - ',
    '    ',
    '---\n',
    '...\n',
    '{',
    '}',
    '<testsuites>',
    '<testcase ',
    '</',
    '<!DOCTYPE ',
    '{"testResults":',
    '{"Action":"fail","Package":',
    '&#',
    '\n',
    ' # TODO',
  )
  const text = fc
    .array(fc.oneof(hints, fc.string({ unit: anyCharacter })), { maxLength: 40 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (garbage) => {
      expectSound(garbage)
    }),
  )
})

test('no JSON value in place of the results makes the reader throw', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expectSound(`{"testResults":${json}}`)
      expectSound(`{"testResults":[{"name":"a","status":"failed","assertionResults":${json}}]}`)
      expectSound(`{"Action":"fail","Package":"a","Test":${json}}`)
    }),
  )
})

test('a truncated or damaged report gives a valid report or none', () => {
  const texts = fixtures.map(([, name]) => readFixture(name))
  const damage = fc.record({
    text: fc.constantFrom(...texts),
    at: fc.nat(),
    length: fc.nat(200),
    put: fc.string({ maxLength: 3 }),
  })
  fc.assert(
    fc.property(damage, ({ text, at, length, put }) => {
      const start = at % text.length
      expectSound(text.slice(0, start) + put + text.slice(start + length))
      expectSound(text.slice(0, start))
    }),
  )
})

test('names survive the round trip through JUnit XML', () => {
  const names = fc.uniqueArray(
    fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => !/[\p{C}\p{Z}>]/u.test(name)),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(names, (given) => {
      const cases = given.map((name) => `<testcase classname="com.example.Suite" name="${escapeXml(name)}"/>`)
      const report = readTestReport(`<testsuite name="Suite">${cases.join('')}</testsuite>`)
      expect(report?.results.map((result) => result.id)).toEqual(
        given.map((name) => `com.example.Suite > ${name}`),
      )
    }),
  )
})

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`)
}

function expectSound(text: string): void {
  const report = readTestReport(text, { root: fixtureRoot })
  if (report === undefined) return
  const ids = report.results.map((result) => result.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(report.failedSuites).size).toBe(report.failedSuites.length)
}

const file = 'src/add.test.ts'

describe('vitest', () => {
  test('returns the file, the full name and the outcome of each test', () => {
    const report = readVitestJson(readFixture('vitest/report.json'), fixtureRoot)
    expect(report?.tool).toBe('vitest')
    expect(report?.results.filter((result) => result.file === file)).toEqual([
      { id: `${file} > add > sums two numbers`, file, outcome: 'passed' },
      { id: `${file} > add > fails on <purpose> & "tells" why`, file, outcome: 'failed' },
      { id: `${file} > add > is skipped`, file, outcome: 'skipped' },
      { id: `${file} > add > is for later`, file, outcome: 'skipped' },
      { id: `${file} > add > nested > subtracts`, file, outcome: 'passed' },
      { id: `${file} > the same name`, file, outcome: 'failed' },
    ])
  })

  test('lists the files that failed without a failing test: not loaded, empty, broken hook', () => {
    expect(readVitestJson(readFixture('vitest/report.json'), fixtureRoot)?.failedSuites).toEqual([
      'src/broken.test.ts',
      'src/empty.test.ts',
      'src/hook.test.ts',
    ])
  })

  test('a run that matched no test is an empty report, not a failure', () => {
    const report = readVitestJson(readFixture('vitest/no-tests.json'), fixtureRoot)
    expect(report).toEqual({ tool: 'vitest', results: [], failedSuites: [] })
  })

  test('lines before and after the report are ignored', () => {
    const text = `\n> tiny@1.0.0 test\n> vitest run\n\n${readFixture('vitest/no-tests.json')}\nDone in 2s.\n`
    expect(readVitestJson(text, fixtureRoot)?.results).toEqual([])
  })
})

test('reads jest: pending and todo are skipped, a suite that failed to run is a failed suite', () => {
  const report = readVitestJson(readFixture('jest/report.json'), fixtureRoot)
  expect(report?.tool).toBe('jest')
  expect(report?.results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['src/add.test.js > add > sums two numbers', 'passed'],
    ['src/add.test.js > add > fails', 'failed'],
    ['src/add.test.js > add > nested > is skipped', 'skipped'],
    ['src/add.test.js > is for later', 'skipped'],
  ])
  expect(report?.failedSuites).toEqual(['src/broken.test.js'])
})

test.each([
  ['a truncated report', readFixture('vitest/report.json').slice(0, -40)],
  ['other JSON', '{"name":"tiny"}'],
  ['a suite without a name', '{"testResults":[{"assertionResults":[]}]}'],
  ['a test without a status', '{"testResults":[{"name":"a.test.ts","assertionResults":[{"title":"a"}]}]}'],
  ['a suite that is no object', '{"testResults":[null]}'],
])('%s is no report', (_what, text) => {
  expect(readVitestJson(text, fixtureRoot)).toBeUndefined()
})

const read = (text: string) => readTap(text, fixtureRoot)
const outcomes = (text: string) => read(text)?.results.map(({ id, outcome }) => [id, outcome])

test('vitest gives the same tests here as in its JSON', () => {
  const fromJson = readVitestJson(readFixture('vitest/report.json'), fixtureRoot)
  const flat = read(readFixture('vitest/flat.tap'))
  expect(flat?.results).toEqual(fromJson?.results)
  expect(flat?.failedSuites).toEqual(['src/broken.test.ts', 'src/empty.test.ts'])
})

test('subtests in braces: a group passes or fails by its own name unless its tests explain the failure', () => {
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

test('node: suites are no tests, a failing todo is skipped, a failure has its file, a file that did not load', () => {
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

test('Test::More: subtests come before their summary line, and a test may have no name', () => {
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

test('text in diagnostics is no test', () => {
  const text =
    'TAP version 13\nok 1 - a\n  ---\n  output: |\n    not ok 7 - b\n    ...\n    not ok 8 - b\n  ...\nok 2 - c\n1..2\n'
  expect(outcomes(text)).toEqual([
    ['a', 'passed'],
    ['c', 'passed'],
  ])
})

test('reports a run that bailed out, ended before its plan, or has none', () => {
  expect(read(readFixture('perl/bail-out.tap'))?.failedSuites).toEqual(['Bail out!  no database'])
  expect(read('1..3\nok 1 - a\n')?.failedSuites).toEqual(['the report ends early: 1 of 3'])
  expect(read('TAP version 13\nok 1 - a\n')?.failedSuites).toEqual(['the report ends early: 1 of ?'])
  expect(
    read('TAP version 13\n1..1\nok 1 - a\n    ok 1 - of a test that never ended\n')?.failedSuites,
  ).toHaveLength(1)
})

test('an empty plan is an empty report', () => {
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

test('subtests are read from both notations, and each failure is reported once, where it happened', () => {
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
      expect(new Set(failed)).toEqual(new Set(trees.flatMap((node) => defineFailures(node, []))))
      expect(summedUp?.failedSuites).toEqual([])
    }),
  )
})

function isNotOk(tree: Tree): boolean {
  return tree.failed || tree.inner.some(isNotOk)
}

function defineFailures(tree: Tree, path: readonly string[]): string[] {
  const names = [...path, tree.name]
  const inside = tree.inner.flatMap((inner) => defineFailures(inner, names))
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

test('reads tests and subtests; a test that failed only through a subtest is reported by the subtest', () => {
  const report = readGoTestJson(readFixture('go/tests.jsonl'))
  expect(report?.results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['example.com/tiny/add > TestSums', 'passed'],
    ['example.com/tiny/add > TestTable/negative_numbers', 'failed'],
    ['example.com/tiny/add > TestTable/zero', 'passed'],
    ['example.com/tiny/add > TestSkipped', 'skipped'],
    ['example.com/tiny/crash > TestExits', 'failed'],
  ])
  expect(report?.failedSuites).toEqual([])
})

test.each(['go/build-failure.jsonl', 'go/build-failure-before-1.24.jsonl', 'go/build-failure-1.19.txt'])(
  '%s: the package is a failed suite',
  (name) => {
    expect(readGoTestJson(readFixture(name))).toEqual({
      tool: 'go',
      results: [],
      failedSuites: ['example.com/tiny/add'],
    })
  },
)

test('before Go 1.20, a package that cannot be built is one plain line between the events of the others', () => {
  expect(readGoTestJson(readFixture('go/setup-failure-1.19.txt'))).toEqual({
    tool: 'go',
    results: [{ id: 'example.com/tiny/sum > TestSums', file: undefined, outcome: 'passed' }],
    failedSuites: ['example.com/tiny/add'],
  })
})

test('a package that fails although its tests pass is a failed suite', () => {
  const text = [
    { Action: 'pass', Package: 'a', Test: 'TestA' },
    { Action: 'fail', Package: 'a' },
  ]
  const report = readGoTestJson(text.map((event) => JSON.stringify(event)).join('\n'))
  expect(report?.results).toEqual([{ id: 'a > TestA', file: undefined, outcome: 'passed' }])
  expect(report?.failedSuites).toEqual(['a'])
})

test('over several runs one failure is enough; a test that never ended has no outcome', () => {
  const text = [
    { Action: 'fail', Package: 'a', Test: 'TestA' },
    { Action: 'pass', Package: 'a', Test: 'TestA' },
    { Action: 'run', Package: 'a', Test: 'TestB' },
  ]
  const report = readGoTestJson(text.map((event) => JSON.stringify(event)).join('\r\n'))
  expect(report?.results).toEqual([{ id: 'a > TestA', file: undefined, outcome: 'failed' }])
})

test('lines of other programs are no report', () => {
  expect(readGoTestJson('FAIL something else\n  FAIL\ta [build failed]\n')).toBeUndefined()
  expect(readGoTestJson('{"level":30,"msg":"hello"}\n{broken\n')).toBeUndefined()
})
