import type { GreenEvidence, RedEvidence } from '../state/state.ts'
import { isCompiledFile } from './readers/compile-errors.ts'
import type { TestReport } from './test-report.ts'

/** Test file, from the project's root, and the hash of its content. */
export type FileHashes = Readonly<Record<string, string>>

/** The evidence of a run in RED: the failing tests. An exit code alone proves nothing. */
export function proofOfRed(reports: readonly TestReport[], testFiles: FileHashes, at: string): RedEvidence {
  return { at, failing: idsWith(reports, 'failed'), failedSuites: failedSuitesOf(reports), testFiles }
}

/** The evidence of a later run: whether the tests that failed in RED pass, and whether they are unchanged. */
export function proofOfGreen(
  red: RedEvidence,
  reports: readonly TestReport[],
  current: FileHashes,
  at: string,
): GreenEvidence {
  const passed = new Set(idsWith(reports, 'passed'))
  const failed = new Set([...idsWith(reports, 'failed'), ...failedSuitesOf(reports)])
  const wanted = [...red.failing, ...red.failedSuites]
  const results = reports.flatMap((report) => report.results)
  const namesFiles = results.some(({ file }) => file !== undefined)
  // A suite is a file, a package or a class. A report without files cannot name a file that now compiles: any passed test
  // shows that it does, since the tests beside it were not built before.
  const hasSuite = (suite: string): boolean =>
    results.some(
      ({ id, file }) => file === suite || id.startsWith(`${suite} > `) || id.startsWith(`${suite}.`),
    ) ||
    (!namesFiles && passed.size > 0 && isCompiledFile(suite))
  return {
    at,
    failing: wanted.filter((id) => failed.has(id)),
    missing: [
      ...red.failing.filter((id) => !failed.has(id) && !passed.has(id)),
      ...red.failedSuites.filter((suite) => !failed.has(suite) && !hasSuite(suite)),
    ],
    changedTests: Object.entries(red.testFiles)
      .filter(([file, hash]) => current[file] !== hash)
      .map(([file]) => file),
  }
}

/** GREEN holds when all tests that failed in RED pass and are unchanged. */
export function greenHolds({ failing, missing, changedTests }: GreenEvidence): boolean {
  return failing.length === 0 && missing.length === 0 && changedTests.length === 0
}

export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failedSuites: number
}

export function totalsOf(reports: readonly TestReport[]): Totals {
  return {
    passed: idsWith(reports, 'passed').length,
    failed: idsWith(reports, 'failed').length,
    skipped: idsWith(reports, 'skipped').length,
    failedSuites: failedSuitesOf(reports).length,
  }
}

/** The ids of the failed tests, for messages. */
export function failingIds(reports: readonly TestReport[]): string[] {
  return [
    ...idsWith(reports, 'failed'),
    ...failedSuitesOf(reports).map((suite) => `${suite} (could not be loaded)`),
  ]
}

function idsWith(reports: readonly TestReport[], outcome: 'passed' | 'failed' | 'skipped'): string[] {
  return reports.flatMap(({ results }) =>
    results.filter((result) => result.outcome === outcome).map(({ id }) => id),
  )
}

function failedSuitesOf(reports: readonly TestReport[]): string[] {
  return [...new Set(reports.flatMap(({ failedSuites }) => failedSuites))]
}
