/** What `validate` looks for. */
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

/** Something that is against the workflow, and what to do about it. */
export interface Violation {
  readonly rule: ValidationRule
  readonly package: string
  readonly path?: string
  readonly message: string
  readonly next: string
}

/** What was found, and what could not be known. */
export interface Findings {
  readonly violations: readonly Violation[]
  readonly notices: readonly string[]
}
