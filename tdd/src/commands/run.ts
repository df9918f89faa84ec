import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { classify } from '../classify/classify.ts'
import type { Config } from '../config/config.ts'
import { collectReports, findFiles } from '../evidence/collect-reports.ts'
import { userRules } from '../evidence/hash-tests.ts'
import { readCompileErrors } from '../evidence/readers/compile-errors.ts'
import { recordRun } from '../evidence/record-run.ts'
import { failingIds, greenHolds, totalsOf } from '../evidence/run-evidence.ts'
import { runTests, type TestRun } from '../evidence/run-tests.ts'
import { chooseRunner } from '../evidence/runners.ts'
import type { TestReport } from '../evidence/test-report.ts'
import { locate } from '../project/locate.ts'
import { isProven, type PackageState } from '../state/state.ts'
import { notify } from '../team/notify.ts'
import { shareWhenAsked } from './share.ts'
import { CommandFailure, type Scene, type Surroundings, sceneOf } from './surroundings.ts'

export interface RunOptions {
  /** Report files to read instead of running the tests. */
  readonly reports: readonly string[]
  /** Additional arguments of the test command. */
  readonly extra: readonly string[]
  readonly folder: string | undefined
  readonly show: (chunk: Buffer, stream: 'stdout' | 'stderr') => void
}

/** `tutti-tdd run`: runs the tests, stores the evidence, and exits with their exit code. */
export async function run(surroundings: Surroundings, options: RunOptions): Promise<number> {
  const scene = sceneOf(surroundings, options.folder)
  const folder = scene.packageName === '.' ? scene.project.root : `${scene.project.root}/${scene.packageName}`
  if (options.reports.length > 0) {
    const reports = collectReports({ folder, files: findFiles(surroundings.cwd, options.reports) })
    if (reports.length === 0)
      throw new CommandFailure(
        `No test report I can read in ${options.reports.join(', ')}. Known: vitest and jest JSON, JUnit XML, TAP, go test -json.`,
      )
    keep(scene, surroundings, reports)
    return 0
  }
  return await runAndKeep(scene, surroundings, folder, options)
}

async function runAndKeep(
  scene: Scene,
  surroundings: Surroundings,
  folder: string,
  { extra, show }: RunOptions,
): Promise<number> {
  const { config } = scene
  const { command, reports } = config.testing
  const { framework, language } = config.project
  const runner = chooseRunner(folder, { command, reports, framework, language })
  if (runner === undefined)
    throw new CommandFailure(
      'I do not know how to run these tests. Set testing.command in tdd.config.yaml, or: tutti-tdd run --report FILE',
    )
  const scratch = mkdtempSync(`${tmpdir().replaceAll('\\', '/')}/tutti-tdd-`)
  try {
    const report = `${scratch}/report`
    const line = [runner.command.replaceAll('{report}', report), ...extra.map(quoted)].join(' ')
    surroundings.print(
      `$ ${[runner.command.replaceAll('"{report}"', 'REPORT').replaceAll('{report}', 'REPORT'), ...extra].join(' ')}`,
    )
    // File systems store times in steps; a report written at once must not look older than the run.
    const beganMs = Date.now() - 2000
    const quiet = runner.machineOutput === true
    const result = await runTests({
      command: line,
      cwd: folder,
      timeoutMs: config.testing.timeout,
      show: (chunk, stream) => {
        if (!quiet || stream === 'stderr') show(chunk, stream)
      },
    })
    if (result.timedOut)
      throw new CommandFailure(
        `The tests were ended after ${config.testing.timeout} ms (testing.timeout). Nothing was recorded.`,
        124,
      )
    const files = [report, ...findFiles(folder, runner.reports ?? [])]
    const found = [
      ...collectReports({ folder, files, notBeforeMs: beganMs, stdout: result.stdout }),
      ...(result.exitCode === 0 ? [] : compileErrorsOf(result, folder, config)),
    ]
    if (found.length === 0) {
      if (quiet) show(Buffer.from(result.stdout), 'stdout')
      if (result.exitCode === 127)
        surroundings.warn(
          'A program of the test command is not found: tutti-tdd doctor names it and the fix.',
        )
      surroundings.warn(
        `No report I can read came out of it, so nothing is proven (the exit code ${result.exitCode} alone is no evidence).`,
      )
      surroundings.warn(
        'Have the command write one: testing.command with {report}, or testing.reports, in tdd.config.yaml.',
      )
    } else keep(scene, surroundings, found)
    return result.exitCode
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function compileErrorsOf({ stdout, stderr }: TestRun, folder: string, config: Config): TestReport[] {
  const options = { rules: userRules(config), framework: config.project.framework }
  const isTest = (file: string): boolean => {
    const place = locate(file, folder)
    return place !== undefined && classify(place, options) === 'test'
  }
  const report = readCompileErrors(`${stderr}\n${stdout}`, folder, isTest)
  return report === undefined ? [] : [report]
}

const shownIds = 10

function keep(scene: Scene, surroundings: Surroundings, reports: readonly TestReport[]): void {
  const { project, packageName, config } = scene
  const kept = recordRun(project, packageName, reports, config, surroundings.now)
  const { passed, failed, skipped, failedSuites } = totalsOf(reports)
  const counts = [
    `${passed} passed`,
    `${failed + failedSuites} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  surroundings.print(`${kept.phase}: ${counts.join(', ')}.`)
  const failing = failingIds(reports)
  for (const id of failing.slice(0, shownIds)) surroundings.print(`  failing: ${id}`)
  if (failing.length > shownIds) surroundings.print(`  and ${failing.length - shownIds} more`)
  const decision = describeOutcome(kept)
  surroundings.print(decision)
  if (config.team.notifications && kept.phase !== 'RED' && failing.length > 0)
    notify({ title: `${kept.phase}: ${failing.length} failing`, body: decision })
  shareWhenAsked(scene, surroundings)
}

/** Describes the meaning of the run for the current phase. */
function describeOutcome(kept: PackageState): string {
  const { phase, green, lastRun } = kept
  if (phase === 'unknown') return 'Recorded. No phase was entered yet: tutti-tdd red <feature>'
  if (phase === 'RED') {
    if (!isProven(kept)) return 'RED is not proven: no test fails. Write one that does.'
    const weak = kept.red?.failing.length === 0
    return weak
      ? 'RED is proven, weakly: a test file cannot be loaded or compiled, but no test has failed. Next: tutti-tdd green'
      : 'RED is proven. Next: tutti-tdd green'
  }
  if ((lastRun?.failed ?? 0) + (lastRun?.failedSuites ?? 0) > 0)
    return `${phase} does not hold: make the failing tests pass.`
  if (green === undefined)
    return `All pass. No run in RED showed a failing test, so what ${phase} adds is not proven.`
  if (greenHolds(green))
    return phase === 'GREEN'
      ? 'GREEN holds: the tests that failed now pass, unchanged. Next: tutti-tdd refactor'
      : 'REFACTOR holds: everything still passes.'
  if (green.changedTests.length > 0)
    return `${phase} is not proven: ${green.changedTests.join(', ')} changed since RED.`
  return `${phase} is not proven: ${green.missing.length} of the tests that failed in RED did not run.`
}

function quoted(argument: string): string {
  if (/^[\w./:=@%+,-]+$/.test(argument)) return argument
  return process.platform === 'win32'
    ? `"${argument.replaceAll('"', '\\"')}"`
    : `'${argument.replaceAll("'", "'\\''")}'`
}
