import { expect, test } from 'vitest'
import { readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { readGoTestJson } from './go-test-json.ts'

test('reads tests and subtests; a test that failed only through a subtest is told by it', () => {
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

test('run several times, one failure is enough; a test that never ended has no outcome', () => {
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
