import type { TestReport, TestResult } from '../test-report.ts'
import { isTestFileName, relativeFile } from './file-names.ts'
import { oneResultPerId } from './one-result-per-id.ts'
import { parseTap } from './parse-tap.ts'
import type { TapPoint } from './tap-lines.ts'

/** Reads the Test Anything Protocol, versions 12 to 14, as node, vitest, tap, bats and others write it. */
export function readTap(text: string, root: string): TestReport | undefined {
  const document = parseTap(text)
  if (document === undefined) return undefined
  const results: TestResult[] = []
  const failedSuites = document.endedEarly === undefined ? [] : [document.endedEarly]
  for (const point of document.points) {
    const [head = '', ...names] = point.name.split(' > ')
    if (!isTestFileName(head)) visit(point, [point.name], undefined, false)
    else {
      const file = relativeFile(head, root)
      visit(point, [file, ...names], file, names.length === 0)
    }
  }
  return { tool: 'tap', results: oneResultPerId(results), failedSuites: [...new Set(failedSuites)] }

  /** Adds the point and its subtests; says whether any of them failed. */
  function visit(point: TapPoint, names: string[], file: string | undefined, isFile: boolean): boolean {
    const failures = point.subtests.map((inner) => visit(inner, [...names, inner.name], file, false))
    const failedInside = failures.includes(true)
    const failed = point.outcome === 'failed'
    const id = names.join(' > ')
    // A point that failed only through its subtests is told by them.
    if (failed && failedInside) return true
    if (isFile || point.isSuite) {
      if (failed) failedSuites.push(id)
    } else {
      // Only failures tell where they are, so the place is no part of the id.
      const place = point.location === undefined ? undefined : relativeFile(point.location, root)
      results.push({ id, file: file ?? place, outcome: point.outcome })
    }
    return failed || failedInside
  }
}
