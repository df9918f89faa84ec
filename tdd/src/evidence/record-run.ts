import type { Config } from '../config/config.ts'
import type { Project } from '../project/locate.ts'
import { appendLog } from '../state/log.ts'
import { type PackageState, packageInForce } from '../state/state.ts'
import { readState, updateState } from '../state/store.ts'
import { hashFiles, testFilesOf } from './hash-tests.ts'
import { greenHolds, proofOfGreen, proofOfRed, totalsOf } from './run-evidence.ts'
import type { TestReport } from './test-report.ts'

/**
 * Records the evidence of a test run, depending on the phase.
 *
 * | phase    | recorded                                                                 |
 * |----------|-------------------------------------------------------------------------|
 * | RED      | which tests fail and the hashes of their files; the latest run counts   |
 * | GREEN    | whether those tests pass, all of them, unchanged                        |
 * | REFACTOR | the same                                                                |
 * | unknown  | only the totals                                                         |
 */
export function recordRun(
  project: Project,
  packageName: string,
  reports: readonly TestReport[],
  config: Config,
  now: Date,
): PackageState {
  const at = now.toISOString()
  const totals = totalsOf(reports)
  // Files are read before the state is locked, because reading is slow.
  const seen = packageInForce(readState(project), packageName)
  const name = seen?.name ?? packageName
  const hashes =
    seen?.state.phase === 'RED'
      ? hashFiles(project, testFilesOf(project, name, reports, config))
      : hashFiles(project, Object.keys(seen?.state.red?.testFiles ?? {}))
  let kept: PackageState = { phase: 'unknown', feature: '', since: at }
  updateState(project, (state) => {
    const before = packageInForce(state, name)?.state ?? kept
    const { phase, red } = before
    const lastRun = { at, phase, tool: reports[0]?.tool ?? 'unknown', ...totals }
    // Another process may have changed the phase meanwhile: then the run is evidence for neither phase.
    if (phase !== (seen?.state.phase ?? 'unknown')) kept = { ...before, lastRun }
    else if (phase === 'RED') kept = { ...before, lastRun, red: proofOfRed(reports, hashes, at) }
    else if (red !== undefined) kept = { ...before, lastRun, green: proofOfGreen(red, reports, hashes, at) }
    else kept = { ...before, lastRun }
    return { ...state, packages: { ...state.packages, [name]: kept } }
  })
  const held = kept.green === undefined || kept.phase === 'RED' ? undefined : greenHolds(kept.green)
  appendLog(
    project,
    [
      {
        at,
        kind: 'run',
        package: packageName,
        phase: kept.phase,
        passed: totals.passed,
        failed: totals.failed + totals.failedSuites,
        ...(held === undefined ? {} : { held }),
      },
    ],
    now,
  )
  return kept
}
