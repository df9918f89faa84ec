import type { Config } from '../config/config.ts'
import { isProven, packageInForce, type State } from '../state/state.ts'
import type { Change } from './change.ts'
import type { Violation } from './violation.ts'

/** Looks at the changed files of each package: code with its tests, tests that vanish, code in RED. */
export function checkChanges(changes: readonly Change[], state: State, config: Config): Violation[] {
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
