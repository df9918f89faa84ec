import type { TestReport, TestResult } from '../test-report.ts'
import { ancestorIds } from './ancestor-ids.ts'
import { linesOf } from './lines.ts'
import { parseJsonObject } from './parse-json.ts'

type GoTest = { package: string; name: string; outcome: TestResult['outcome'] | 'running' }

/** Before Go 1.20 a package that cannot be built has no event, only this line. */
const buildFailed = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/

/** Reads `go test -json`: one event a line, between lines the compiler may have written. */
export function readGoTestJson(text: string): TestReport | undefined {
  const tests = new Map<string, GoTest>()
  const failedPackages = new Set<string>()
  let sawEvent = false
  for (const line of linesOf(text)) {
    const event = line.startsWith('{') ? parseJsonObject(line) : undefined
    if (event === undefined) {
      const unbuilt = buildFailed.exec(line)?.[1]
      if (unbuilt !== undefined) failedPackages.add(unbuilt)
      continue
    }
    const { Action: action, Package: packageName, Test: name } = event
    if (typeof action !== 'string' || typeof packageName !== 'string') continue
    sawEvent = true
    if (typeof name !== 'string') {
      if (action === 'fail') failedPackages.add(packageName)
      continue
    }
    const outcome = outcomesByAction.get(action)
    if (outcome === undefined) continue
    const id = `${packageName} > ${name}`
    // With -count a test ends several times: one failure is enough.
    if (tests.get(id)?.outcome !== 'failed') tests.set(id, { package: packageName, name, outcome })
  }
  if (!sawEvent && failedPackages.size === 0) return undefined
  return reportOf(tests, failedPackages)
}

const outcomesByAction = new Map<string, GoTest['outcome']>([
  ['run', 'running'],
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
])

function reportOf(tests: ReadonlyMap<string, GoTest>, failedPackages: ReadonlySet<string>): TestReport {
  const results: TestResult[] = []
  const explained = new Set<string>()
  for (const [id, test] of tests) {
    // A test that was running when its package failed took the process down with it.
    const outcome = test.outcome === 'running' && failedPackages.has(test.package) ? 'failed' : test.outcome
    if (outcome === 'running') continue
    if (outcome === 'failed') explained.add(test.package)
    results.push({ id, file: undefined, outcome })
  }
  const failed = results.filter((result) => result.outcome === 'failed')
  const parents = new Set(failed.flatMap((result) => ancestorIds(result.id, '/')))
  return {
    tool: 'go',
    // A test that failed only through its subtests is told by them.
    results: results.filter((result) => result.outcome !== 'failed' || !parents.has(result.id)),
    failedSuites: [...failedPackages].filter((name) => !explained.has(name)),
  }
}
