/**
 * | severity  | what it means                                                                     |
 * |-----------|-----------------------------------------------------------------------------------|
 * | `error`   | the site refuses the recipe, or takes it and the tour does not work               |
 * | `warning` | whether it works depends on the site                                              |
 * | `note`    | good to know                                                                      |
 */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

/** One thing somebody should know about a recipe, and where it is. */
export interface Finding {
  readonly severity: Severity
  readonly code: string
  /** The file below the recipe's folder; empty for the recipe as a whole. */
  readonly file: string
  /** Such as `tips.welcome.position`; empty for the whole file. */
  readonly path: string
  readonly line: number | null
  readonly message: string
}

/** Errors first; within one kind as the files are read. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return severities.flatMap((severity) => findings.filter((finding) => finding.severity === severity))
}
