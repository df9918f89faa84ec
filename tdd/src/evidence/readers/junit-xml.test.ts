import { expect, test } from 'vitest'
import { fixtureRoot, readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { readJunitXml, readVitestJson } from './read-report.ts'

const read = (text: string) => readJunitXml(text, fixtureRoot)
const outcomes = (text: string) => read(text)?.results.map(({ id, outcome }) => [id, outcome])

test('vitest gives the same tests here as in its JSON', () => {
  const fromJson = readVitestJson(readFixture('vitest/report.json'), fixtureRoot)
  const fromXml = read(readFixture('vitest/junit.xml'))
  expect(fromXml?.results).toEqual(fromJson?.results)
  expect(fromXml?.failedSuites).toEqual([
    'src/broken.test.ts',
    'src/empty.test.ts',
    'src/hook.test.ts > with a failing hook',
  ])
})

test('node: nested suites, absolute files made relative, a failing todo is skipped, a file that did not load', () => {
  const report = read(readFixture('node/junit.xml'))
  expect(outcomes(readFixture('node/junit.xml'))).toEqual([
    ['test/add.test.ts > add > sums two numbers', 'passed'],
    ['test/add.test.ts > add > fails on <purpose> & &quot;tells&quot; #why', 'failed'],
    ['test/add.test.ts > add > is skipped', 'skipped'],
    ['test/add.test.ts > add > is for later', 'skipped'],
    ['test/add.test.ts > add.nested > subtracts', 'passed'],
    ['test/add.test.ts > steps > first step', 'passed'],
    ['test/add.test.ts > steps > second step', 'failed'],
  ])
  expect(report?.results.every((result) => result.file === 'test/add.test.ts')).toBe(true)
  expect(report?.failedSuites).toEqual(['test/broken.test.ts'])
})

test('pytest: a collection error is a failed suite, a broken fixture a failed test', () => {
  expect(outcomes(readFixture('pytest/junit.xml'))).toEqual([
    ['tests.test_add.TestAdd > test_sums', 'passed'],
    ['tests.test_add.TestAdd > test_fails', 'failed'],
    ['tests.test_add > test_skipped', 'skipped'],
    ['tests.test_add > test_each[1]', 'passed'],
    ['tests.test_add > test_each[<a & b>]', 'passed'],
    ['tests.test_add > test_needs_a_broken_fixture', 'failed'],
    ['tests.test_add > test_for_later', 'skipped'],
  ])
  expect(read(readFixture('pytest/junit.xml'))?.failedSuites).toEqual(['tests.test_broken'])
})

test('Surefire: a test that passed at the second attempt passed, a class that cannot be created is a failed suite', () => {
  const text = readFixture('surefire/TEST-com.example.AddTest.xml')
  expect(outcomes(text)).toEqual([
    ['com.example.AddTest > sums', 'passed'],
    ['com.example.AddTest > fails', 'failed'],
    ['com.example.AddTest > skipped', 'skipped'],
    ['com.example.AddTest > passesAtTheSecondAttempt', 'passed'],
  ])
  expect(read(text)?.failedSuites).toEqual(['com.example.BrokenTest'])
})

test('the file is taken from the suite, and a class that repeats the name is used only once', () => {
  const text = `<testsuites><testsuite name="add" file="/project/src/add.spec.js">
    <testcase classname="add sums" name="add sums"/></testsuite></testsuites>`
  expect(read(text)?.results).toEqual([
    { id: 'src/add.spec.js > add sums', file: 'src/add.spec.js', outcome: 'passed' },
  ])
})

test('an error of the suite itself, a build failure of Go and a test that was not run', () => {
  const text = `<testsuites>
    <testsuite name="setup"><error message="no database"/></testsuite>
    <testsuite name="tiny"><testcase classname="example.com/tiny" name="[build failed]"><failure/></testcase></testsuite>
    <testsuite name="cpp"><testcase classname="Add" name="Disabled" status="notrun"/></testsuite>
  </testsuites>`
  expect(read(text)).toEqual({
    tool: 'junit',
    results: [{ id: 'Add > Disabled', file: undefined, outcome: 'skipped' }],
    failedSuites: ['setup', 'example.com/tiny'],
  })
})

test('an empty file attribute is no file, and a failure without a name is still reported', () => {
  const text = `<testsuite file=""><testcase file="" classname="A" name="b"/><testcase name=""><error/></testcase></testsuite>`
  expect(read(text)).toEqual({
    tool: 'junit',
    results: [{ id: 'A > b', file: undefined, outcome: 'passed' }],
    failedSuites: ['suite'],
  })
})

test.each([
  ['a truncated report', readFixture('vitest/junit.xml').slice(0, -20)],
  ['other XML', '<?xml version="1.0"?><report><testsuite/></report>'],
  ['a report quoted inside other text', 'message: see <testsuites></testsuites>'],
])('%s is no report', (_what, text) => {
  expect(read(text)).toBeUndefined()
})
