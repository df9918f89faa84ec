import type { TestReport, TestResult } from '../test-report.ts'
import { relativeFile } from './file-names.ts'
import { oneResultPerId } from './one-result-per-id.ts'
import { isObject, parseJsonObject } from './parse-json.ts'

/** Reads `vitest --reporter=json` and `jest --json`, which share one shape. */
export function readVitestJson(text: string, root: string): TestReport | undefined {
  const report = parseJsonObject(text)
  if (report === undefined || !Array.isArray(report['testResults'])) return undefined
  const results: TestResult[] = []
  const failedSuites: string[] = []
  for (const suite of report['testResults'] as unknown[]) {
    if (!isObject(suite)) return undefined
    const { name, status, assertionResults } = suite
    if (typeof name !== 'string' || !Array.isArray(assertionResults)) return undefined
    const file = relativeFile(name, root)
    const ofSuite = assertionResults.map((assertion: unknown) => resultOf(assertion, file))
    if (!ofSuite.every((result) => result !== undefined)) return undefined
    for (const result of ofSuite) results.push(result)
    // Nothing failed in it and yet it failed: it did not load, or a hook around its tests broke.
    if (status === 'failed' && !ofSuite.some((result) => result.outcome === 'failed')) failedSuites.push(file)
  }
  const tool = 'numRuntimeErrorTestSuites' in report ? 'jest' : 'vitest'
  return { tool, results: oneResultPerId(results), failedSuites: [...new Set(failedSuites)] }
}

function resultOf(assertion: unknown, file: string): TestResult | undefined {
  if (!isObject(assertion)) return undefined
  const { title, status } = assertion
  const ancestors: unknown = assertion['ancestorTitles'] ?? []
  if (typeof title !== 'string' || typeof status !== 'string' || !isNames(ancestors)) return undefined
  // Everything else is a test that did not run: skipped, pending, todo, disabled.
  const outcome = status === 'passed' || status === 'failed' ? status : 'skipped'
  return { id: [file, ...ancestors, title].join(' > '), file, outcome }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
