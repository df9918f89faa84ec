import type { TestResult } from '../test-report.ts'

const weight = { skipped: 0, passed: 1, failed: 2 }

/** Tests may share a name, and some tools report a test once for each attempt: the worst outcome stands for the id. */
export function oneResultPerId(results: readonly TestResult[]): TestResult[] {
  const byId = new Map<string, TestResult>()
  for (const result of results) {
    const known = byId.get(result.id)
    if (known === undefined || weight[result.outcome] > weight[known.outcome]) byId.set(result.id, result)
  }
  return [...byId.values()]
}
