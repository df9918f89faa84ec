/** The report of one test run. Every id appears once; `failedSuites` could not run their tests. */
export type TestReport = {
  tool: 'vitest' | 'jest' | 'junit' | 'tap' | 'go' | 'compiler'
  results: readonly TestResult[]
  failedSuites: readonly string[]
}

/** One test. The id is its file (where the report tells it) and its full name: the same in every run. */
export type TestResult = {
  id: string
  file: string | undefined
  outcome: 'passed' | 'failed' | 'skipped'
}
