/**
 * | severity  | meaning                                                                           |
 * |-----------|-----------------------------------------------------------------------------------|
 * | `error`   | the site refuses the recipe, or accepts it and the tour does not work             |
 * | `warning` | whether it works depends on the site                                              |
 * | `note`    | information                                                                       |
 */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

/** One finding about a recipe, with its location. */
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

/** Errors first; findings of one severity in the order the files were read. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return severities.flatMap((severity) => findings.filter((finding) => finding.severity === severity))
}
