import { parseXml } from '../readers/parse-xml.ts'
import { maxReportCharacters } from '../readers/report-size.ts'
import { readClover } from './clover.ts'
import { readCobertura } from './cobertura.ts'
import type { Coverage } from './coverage.ts'
import { readCoverageSummary } from './coverage-summary.ts'
import { readGoProfile } from './go-profile.ts'
import { readJacoco } from './jacoco.ts'
import { readLcov } from './lcov.ts'

/** Where coverage reports usually lie, relative to the package, the best first. */
export const coverageFileCandidates: readonly string[] = [
  'coverage/coverage-summary.json',
  'coverage/lcov.info',
  'coverage/clover.xml',
  'coverage.xml',
  'coverage/cobertura-coverage.xml',
  'target/site/jacoco/jacoco.xml',
  'build/reports/jacoco/test/jacocoTestReport.xml',
  'build/reports/kover/report.xml',
  'coverage.out',
  'cover.out',
  'lcov.info',
  'cobertura.xml',
  'coverage/cobertura.xml',
  'clover.xml',
  'build/logs/clover.xml',
]

/** Reads a coverage report. The name of the file says the family, its text the format; anything else gives undefined. */
export function readCoverage(text: string, file: string): Coverage | undefined {
  if (text.length > maxReportCharacters) return undefined
  if (/\.json$/i.test(file)) return readCoverageSummary(text)
  if (/\.xml$/i.test(file)) return readXml(text)
  return readGoProfile(text) ?? readLcov(text)
}

function readXml(text: string): Coverage | undefined {
  const document = parseXml(text)
  if (document === undefined) return undefined
  return readJacoco(document) ?? readCobertura(document) ?? readClover(document)
}
