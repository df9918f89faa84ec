import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixtureRoot, readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { readTestReport } from './read-report.ts'
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

test.each(fixtures)('recognises %s in %s, whatever its line ends', (tool, name) => {
  const text = readFixture(name)
  const report = readTestReport(text, { root: fixtureRoot })
  expect(report?.tool).toBe(tool)
  expect(readTestReport(text.replaceAll('\n', '\r\n'), { root: fixtureRoot })).toEqual(report)
})

test('ids hold no absolute path; without a root files are relative to the working directory', () => {
  for (const [, name] of fixtures) {
    const report = readTestReport(readFixture(name), { root: fixtureRoot })
    expect(report?.results.some((result) => result.id.includes(fixtureRoot))).toBe(false)
  }
  const here = readFixture('jest/report.json').replaceAll(fixtureRoot, process.cwd())
  expect(readTestReport(here)?.results[0]?.file).toBe('src/add.test.js')
})

test('a report inside the message of another format does not deceive', () => {
  const tap = 'TAP version 13\nok 1 - inner\n1..1\n'
  const junit = `<testsuites><testsuite name="a"><testcase classname="A" name="b"><failure>\n${tap}</failure></testcase></testsuite></testsuites>`
  expect(readTestReport(junit)?.tool).toBe('junit')
  const go = JSON.stringify({ Action: 'output', Package: 'a', Output: junit })
  expect(readTestReport(go)?.tool).toBe('go')
})

test('a text too long to be a report is not read', () => {
  const tap = 'TAP version 13\n1..1\nok 1 - a\n# '
  expect(readTestReport(tap.padEnd(maxReportCharacters, '.'))).toBeDefined()
  expect(readTestReport(tap.padEnd(maxReportCharacters + 1, '.'))).toBeUndefined()
})

test('no text makes it throw', () => {
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
    .array(fc.oneof(hints, fc.string({ unit: 'binary' })), { maxLength: 40 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (garbage) => {
      expectSound(garbage)
    }),
  )
})

test('no JSON in the place of the results makes it throw', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expectSound(`{"testResults":${json}}`)
      expectSound(`{"testResults":[{"name":"a","status":"failed","assertionResults":${json}}]}`)
      expectSound(`{"Action":"fail","Package":"a","Test":${json}}`)
    }),
  )
})

test('a report that was cut or damaged anywhere gives a sound report or none', () => {
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

test('names come back from JUnit XML as they were', () => {
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
