import { type Config, requiresProvenRed } from '../config/config.ts'
import type { CurrentCoverage } from '../evidence/current-coverage.ts'
import { greenHolds } from '../evidence/judge-run.ts'
import { isProven, type PackageState } from '../state/state.ts'
import type { Findings, Violation } from './violation.ts'

const someIds = 3

/** Looks at what the runs of a package proved. What no run has shown is a notice; what a run contradicts is a violation. */
export function checkEvidence(
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
