import { readFileSync, statSync } from 'node:fs'
import { readTestReport } from './readers/read-report.ts'
import type { TestReport } from './test-report.ts'

export interface ReportPlaces {
  /** The package's folder, which relative names start from. */
  readonly folder: string
  readonly files: readonly string[]
  /** Reports that were there before the run began say nothing about it. */
  readonly notBeforeMs?: number
  readonly stdout?: string
}

/** Reads what a run left behind: the reports in files, else what it printed. */
export function collectReports({ folder, files, notBeforeMs = 0, stdout = '' }: ReportPlaces): TestReport[] {
  const found = files.flatMap((file) => {
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (mtimeMs === undefined || mtimeMs < notBeforeMs) return []
    const report = readTestReport(readFileSync(file, 'utf8'), { root: folder })
    return report === undefined ? [] : [report]
  })
  if (found.length > 0) return found
  const printed = stdout === '' ? undefined : readTestReport(stdout, { root: folder })
  return printed === undefined ? [] : [printed]
}
