import { describe, expect, test } from 'vitest'
import { fixtureRoot, readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { readVitestJson } from './vitest-json.ts'

const file = 'src/add.test.ts'

describe('vitest', () => {
  test('gives each test its file, its full name and its outcome', () => {
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

  test('names the files that failed without a failing test: not loaded, empty, broken hook', () => {
    expect(readVitestJson(readFixture('vitest/report.json'), fixtureRoot)?.failedSuites).toEqual([
      'src/broken.test.ts',
      'src/empty.test.ts',
      'src/hook.test.ts',
    ])
  })

  test('a run that matched no test is a report of nothing, not a failure', () => {
    const report = readVitestJson(readFixture('vitest/no-tests.json'), fixtureRoot)
    expect(report).toEqual({ tool: 'vitest', results: [], failedSuites: [] })
  })

  test('lines before and after the report do not matter', () => {
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
