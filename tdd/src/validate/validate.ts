import { type Config, requiresProvenRed } from '../config/config.ts'
import { type CurrentCoverage, currentCoverage } from '../evidence/measure-coverage.ts'
import { greenHolds } from '../evidence/run-evidence.ts'
import { checkTimeoutMs, gitWithin } from '../git/run-git.ts'
import type { Project } from '../project/locate.ts'
import { isProven, type PackageState, packageInForce, type State } from '../state/state.ts'
import type { Change } from './change.ts'
import { mergeUnderWay, readChanges } from './read-changes.ts'

/** The rules of `validate`. */
type ValidationRule =
  | 'implementation-in-red'
  | 'new-code-without-test'
  | 'change-without-test'
  | 'test-removed'
  | 'test-skipped'
  | 'red-not-proven'
  | 'green-not-held'
  | 'tests-failing'
  | 'lint-failing'
  | 'coverage-below-threshold'

/** A violation of the workflow, and its remedy. */
interface Violation {
  readonly rule: ValidationRule
  readonly package: string
  readonly path?: string
  readonly message: string
  readonly next: string
}

/** The violations, and the notices about missing evidence. */
interface Findings {
  readonly violations: readonly Violation[]
  readonly notices: readonly string[]
}

export interface Validation extends Findings {
  /** False when git could not list the changes: then only the evidence was checked. */
  readonly evaluated: boolean
  /** A merge, revert, cherry-pick or rebase is in progress: the changes were not checked. */
  readonly skipped: boolean
  readonly coverage: CurrentCoverage
}

export interface ValidationSubject {
  readonly project: Project
  readonly packageName: string
  readonly state: State
  readonly config: Config
  /** Checks the staged changes instead of all changes since the last commit. */
  readonly preCommit: boolean
}

/** Checks the work in a project against its workflow. */
export function validate({ project, packageName, state, config, preCommit }: ValidationSubject): Validation {
  const home = packageInForce(state, packageName)?.name ?? '.'
  const git = gitWithin(project.root, checkTimeoutMs)
  const coverage = currentCoverage(project, home, config, git)
  if (preCommit && mergeUnderWay(project))
    return {
      violations: [],
      notices: ['a merge, revert or rebase is in progress: nothing to check'],
      evaluated: true,
      skipped: true,
      coverage,
    }
  const changes = readChanges(project, config, preCommit, git)
  const touched = new Set((changes ?? []).map((change) => packageInForce(state, change.package)?.name ?? '.'))
  const packages = [...new Set([home, ...touched])].sort()
  const evidence = packages.map((name) => {
    const known = Object.hasOwn(state.packages, name) ? state.packages[name] : undefined
    return checkEvidence(
      name,
      known,
      name === home ? coverage : currentCoverage(project, name, config, git),
      config,
    )
  })
  return {
    violations: [
      ...checkChanges(changes ?? [], state, config),
      ...evidence.flatMap(({ violations }) => violations),
    ],
    notices: [
      ...(changes === undefined ? ['git cannot tell what changed here: the files were not checked'] : []),
      ...evidence.flatMap(({ notices }) => notices),
    ],
    evaluated: changes !== undefined,
    skipped: false,
    coverage,
  }
}

/** Checks the changed files of each package: code with its tests, removed tests, code in RED. */
function checkChanges(changes: readonly Change[], state: State, config: Config): Violation[] {
  const packages = [...new Set(changes.map((change) => change.package))].sort()
  return packages.flatMap((name) =>
    checkPackage(
      name,
      changes.filter((change) => change.package === name),
      state,
      config,
    ),
  )
}

function checkPackage(name: string, changes: readonly Change[], state: State, config: Config): Violation[] {
  const code = changes.filter(
    (change) => change.class === 'implementation' && change.lines > 0 && change.status !== 'deleted',
  )
  if (code.length === 0) return []
  const current = packageInForce(state, name)?.state
  const tests = changes.filter((change) => change.class === 'test')
  const testWork = tests.some((change) => change.status !== 'deleted' && change.lines > 0)
  const violations: Violation[] = []
  if (current?.phase === 'RED')
    violations.push(
      ...code.map(
        (change): Violation => ({
          rule: 'implementation-in-red',
          package: name,
          path: change.path,
          message: `${change.path} is implementation, and the phase is RED`,
          next: 'take it out of this commit, or /tdd-green once a test fails',
        }),
      ),
    )
  if (config.tdd.requireTestFirst && !testWork)
    violations.push(...untested(name, code, current !== undefined && isProven(current)))
  violations.push(...lostTests(name, tests))
  return violations
}

function untested(name: string, code: readonly Change[], redProven: boolean): Violation[] {
  return code.flatMap((change): Violation[] => {
    if (change.status === 'added')
      return [
        {
          rule: 'new-code-without-test',
          package: name,
          path: change.path,
          message: `${change.path} is new, and no test changes with it`,
          next: '/tdd-red <feature>, then commit the test with the code',
        },
      ]
    if (redProven) return []
    return [
      {
        rule: 'change-without-test',
        package: name,
        path: change.path,
        message: `${change.path} changes, and neither a test changes nor was one seen failing`,
        next: '/tdd-red <feature> and `tutti-tdd run`, or commit the test with the code',
      },
    ]
  })
}

function lostTests(name: string, tests: readonly Change[]): Violation[] {
  return tests.flatMap((change): Violation[] => {
    if (change.status === 'deleted')
      return [
        {
          rule: 'test-removed',
          package: name,
          path: change.path,
          message: `${change.path} is deleted while code changes`,
          next: 'delete tests in a commit of their own',
        },
      ]
    return change.skips.map((line) => ({
      rule: 'test-skipped',
      package: name,
      path: change.path,
      message: `${change.path} keeps tests from running while code changes: ${line}`,
      next: 'let the test run, or skip it in a commit of its own',
    }))
  })
}

const someIds = 3

/** Checks the evidence of a package. Missing evidence is a notice; contradicting evidence is a violation. */
function checkEvidence(
  name: string,
  current: PackageState | undefined,
  coverage: CurrentCoverage,
  config: Config,
): Findings {
  const violations: Violation[] = []
  const notices: string[] = []
  const where = name === '.' ? '' : `${name}: `
  if (current !== undefined && current.phase !== 'unknown') {
    const { red, green, phase, lastRun } = current
    if (phase === 'RED') {
      if (red === undefined)
        notices.push(`${where}no run in RED yet; \`tutti-tdd run\` shows whether a test fails`)
      else if (!isProven(current)) notices.push(`${where}the last run in RED had no failing test`)
    } else if (config.tdd.requireTestFirst) {
      if (red === undefined && !requiresProvenRed(config))
        notices.push(`${where}no test was seen failing before ${phase}`)
      else if (!isProven(current))
        violations.push({
          rule: 'red-not-proven',
          package: name,
          message: `${where}${red === undefined ? 'no' : 'the last'} run in RED had ${red === undefined ? 'a' : 'no'} failing test`,
          next: '/tdd-red <feature>, and `tutti-tdd run` until a test fails',
        })
    }
    if (phase !== 'RED' && red !== undefined && isProven(current)) {
      if (green === undefined)
        notices.push(`${where}no run since RED; \`tutti-tdd run\` shows whether ${phase} holds`)
      else if (!greenHolds(green)) violations.push(notHeld(name, where, green))
    }
    if (
      phase !== 'RED' &&
      lastRun !== undefined &&
      lastRun.phase === phase &&
      lastRun.failed + lastRun.failedSuites > 0
    )
      violations.push({
        rule: 'tests-failing',
        package: name,
        message: `${where}${lastRun.failed + lastRun.failedSuites} failing in the last run, and the phase is ${phase}`,
        next: 'make them pass, then `tutti-tdd run`',
      })
  }
  const lint = current?.phase === 'REFACTOR' ? current.lint : undefined
  if (lint?.outcome === 'failed')
    violations.push({
      rule: 'lint-failing',
      package: name,
      message: `${where}${lint.command} ${lint.detail}`,
      next: 'correct what the linter names, then `tutti-tdd validate`',
    })
  if (lint?.outcome === 'unknown') notices.push(`${where}lint: ${lint.command} ${lint.detail}`)
  const threshold = config.testing.coverageThreshold
  if (coverage.percent !== undefined && coverage.percent < threshold)
    violations.push({
      rule: 'coverage-below-threshold',
      package: name,
      ...(coverage.file === undefined ? {} : { path: coverage.file }),
      message: `${where}coverage is ${coverage.percent}%, and ${threshold}% are wanted`,
      next: 'test what is not covered, or change testing.coverageThreshold',
    })
  if (coverage.newerFile !== undefined)
    notices.push(
      `${where}coverage unknown: ${coverage.newerFile} is newer than ${coverage.file ?? 'the report'}`,
    )
  return { violations, notices }
}

function notHeld(name: string, where: string, green: NonNullable<PackageState['green']>): Violation {
  const reasons = [
    ...(green.failing.length > 0 ? [`still failing: ${some(green.failing)}`] : []),
    ...(green.missing.length > 0 ? [`not run: ${some(green.missing)}`] : []),
    ...(green.changedTests.length > 0 ? [`changed since RED: ${some(green.changedTests)}`] : []),
  ]
  return {
    rule: 'green-not-held',
    package: name,
    message: `${where}the tests that failed in RED do not pass as they were: ${reasons.join('; ')}`,
    next:
      green.changedTests.length > 0
        ? '/tdd-red <feature> again with the new test, and `tutti-tdd run`'
        : 'make them pass, then `tutti-tdd run`',
  }
}

function some(names: readonly string[]): string {
  const more = names.length > someIds ? ` and ${names.length - someIds} more` : ''
  return `${names.slice(0, someIds).join(', ')}${more}`
}
