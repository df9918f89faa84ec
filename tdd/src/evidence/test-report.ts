/** The report of one test run. Every id appears once; `failedSuites` could not run their tests. */
export type TestReport = {
  tool: 'vitest' | 'jest' | 'junit' | 'tap' | 'go' | 'compiler'
  results: readonly TestResult[]
  failedSuites: readonly string[]
}

/** One test. The id consists of its file (if the report has it) and its full name, and is the same in every run. */
export type TestResult = {
  id: string
  file: string | undefined
  outcome: 'passed' | 'failed' | 'skipped'
}
