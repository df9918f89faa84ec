import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFixture } from '../../../test/fixtures/reports/read-fixture.ts'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { maxReportCharacters } from '../readers/report-size.ts'
import { coverageFileCandidates, readCoverage } from './read-coverage.ts'

const fixtures = [
  ['coverage-summary', 'coverage/coverage-summary.json', 11, 13, 84.61],
  ['lcov', 'coverage/lcov.info', 11, 13, 84.61],
  ['cobertura', 'coverage/cobertura.xml', 3, 5, 60],
  ['jacoco', 'coverage/jacoco.xml', 2, 3, 66.66],
  ['clover', 'coverage/clover.xml', 4, 6, 66.66],
  ['go', 'coverage/coverage.out', 3, 6, 50],
] as const

test.each(fixtures)('reads %s', (format, name, linesCovered, linesTotal, percent) => {
  expect(readCoverage(readFixture(name), name)).toEqual({ format, linesCovered, linesTotal, percent })
})

test('the content decides which XML format it is, not the file name', () => {
  expect(readCoverage(readFixture('coverage/clover.xml'), 'coverage.xml')?.format).toBe('clover')
  expect(readCoverage(readFixture('coverage/cobertura.xml'), 'coverage.xml')?.format).toBe('cobertura')
})

test('the extension decides the family: JSON in an .xml file is no report', () => {
  expect(readCoverage(readFixture('coverage/coverage-summary.json'), 'coverage.xml')).toBeUndefined()
})

describe('lcov', () => {
  test('a line of several records counts once and is covered when any run reached it', () => {
    const text =
      'SF:a.ts\nDA:1,0\nDA:2,3\nDA:3,0\nend_of_record\nSF:a.ts\nDA:1,3\nDA:2,0\nDA:3,0\nend_of_record\n'
    expect(readCoverage(text, 'lcov.info')).toMatchObject({ linesCovered: 2, linesTotal: 3 })
  })

  test('a record without lines uses its totals', () => {
    const text = 'TN:\r\nSF:a.ts\r\nLF:4\r\nLH:1\r\nend_of_record\r\n'
    expect(readCoverage(text, 'lcov.info')).toMatchObject({ linesCovered: 1, linesTotal: 4 })
  })
})

test('Cobertura without totals: each line of the classes counts once', () => {
  const text = readFixture('coverage/cobertura.xml').replace(/lines-valid="5" lines-covered="3"/, '')
  expect(readCoverage(text, 'coverage.xml')).toMatchObject({ linesCovered: 3, linesTotal: 5 })
})

test.each([
  ['coverage-summary.json', '{"total":{"lines":{"total":0,"covered":0,"skipped":0,"pct":"Unknown"}}}'],
  ['lcov.info', ''],
  ['lcov.info', 'TN:\nSF:a.ts\nLF:0\nLH:0\nend_of_record\n'],
  ['coverage.xml', '<coverage lines-valid="0" lines-covered="0" line-rate="1"/>'],
  ['coverage.xml', '<coverage line-rate="1"><packages/></coverage>'],
  ['clover.xml', '<coverage><project><metrics statements="0" coveredstatements="0"/></project></coverage>'],
  ['clover.xml', '<coverage><project/></coverage>'],
  ['jacoco.xml', '<report name="a"><counter type="LINE" missed="0" covered="0"/></report>'],
  ['jacoco.xml', '<report name="a"><counter type="METHOD" missed="0" covered="2"/></report>'],
  ['coverage.out', 'mode: set\n'],
])('an empty report is not 100 percent: %s %#', (file, text) => {
  expect(readCoverage(text, file)).toBeUndefined()
})

test.each([
  ['more covered than there is', 'coverage-summary.json', '{"total":{"lines":{"total":1,"covered":2}}}'],
  ['a fraction of a line', 'coverage-summary.json', '{"total":{"lines":{"total":2,"covered":1.5}}}'],
  ['a negative count', 'jacoco.xml', '<report><counter type="LINE" missed="-1" covered="2"/></report>'],
  ['a profile that was cut off', 'coverage.out', 'mode: set\na.go:1.2,3.4 1 1\na.go:5.2,6'],
])('%s is no coverage', (_what, file, text) => {
  expect(readCoverage(text, file)).toBeUndefined()
})

test('a text above the size limit is not read', () => {
  const text = readFixture('coverage/lcov.info')
  expect(readCoverage(text.padEnd(maxReportCharacters + 1, '\n'), 'lcov.info')).toBeUndefined()
})

test('100 percent is reported only when every line is covered', () => {
  const counts = fc
    .tuple(fc.nat(10_000_000), fc.nat(10_000_000))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)])
  fc.assert(
    fc.property(counts, ([covered = 0, total = 0]) => {
      const text = `<report><counter type="LINE" missed="${total - covered}" covered="${covered}"/></report>`
      const coverage = readCoverage(text, 'jacoco.xml')
      if (total === 0) return expect(coverage).toBeUndefined()
      expect(coverage).toMatchObject({ linesTotal: total, linesCovered: covered })
      expect(coverage?.percent === 100).toBe(covered === total)
      expect(coverage?.percent).toBeLessThanOrEqual((covered / total) * 100)
      expect(coverage?.percent).toBeGreaterThan((covered / total) * 100 - 0.011)
    }),
  )
})

test('no text makes the reader throw, and its numbers are always plausible', () => {
  const texts = fixtures.map(([, name]) => readFixture(name))
  const damaged = fc
    .record({
      text: fc.constantFrom(...texts),
      at: fc.nat(),
      length: fc.nat(60),
      put: fc.string({ maxLength: 3 }),
    })
    .map(
      ({ text, at, length, put }) =>
        text.slice(0, at % text.length) + put + text.slice((at % text.length) + length),
    )
  const file = fc.constantFrom(...coverageFileCandidates, 'unknown')
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), damaged), file, (text, name) => {
      const coverage = readCoverage(text, name)
      if (coverage === undefined) return
      expect(coverage.linesTotal).toBeGreaterThan(0)
      expect(coverage.percent).toBeGreaterThanOrEqual(0)
      expect(coverage.percent).toBeLessThanOrEqual(100)
    }),
  )
})
