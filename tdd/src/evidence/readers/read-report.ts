import type { TestReport } from '../test-report.ts'
import { readGoTestJson } from './go-test-json.ts'
import { readJunitXml } from './junit-xml.ts'
import { maxReportCharacters } from './report-size.ts'
import { readTap } from './tap.ts'
import { readVitestJson } from './vitest-json.ts'

// TAP comes last: it is made of plain lines, which the messages inside the other formats may hold too.
const readers = [readVitestJson, readJunitXml, readGoTestJson, readTap]

/** Reads a test report in whichever format it is; text that is none, or too long to be one, gives undefined. */
export function readTestReport(text: string, options: { root?: string } = {}): TestReport | undefined {
  if (text.length > maxReportCharacters) return undefined
  const root = options.root ?? process.cwd()
  for (const read of readers) {
    const report = read(text, root)
    if (report !== undefined) return report
  }
  return undefined
}
