import type { ParsedFile } from '../reading/recipe-content.ts'

/**
 * | severity  | meaning                                                                           |
 * |-----------|-----------------------------------------------------------------------------------|
 * | `error`   | the site refuses the recipe, or accepts it and the tour does not work             |
 * | `warning` | whether it works depends on the site                                              |
 * | `note`    | information                                                                       |
 */
export const severities = ['error', 'warning', 'note'] as const
type Severity = (typeof severities)[number]

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

type Path = readonly (string | number)[]

/** Adds findings of one file with their location. */
export interface FindingReporter {
  readonly error: (path: Path, code: string, message: string) => void
  readonly warning: (path: Path, code: string, message: string) => void
  readonly note: (path: Path, code: string, message: string) => void
}

export function createFindingReporter(
  file: Pick<ParsedFile, 'path' | 'lineOf'>,
  findings: Finding[],
): FindingReporter {
  const add = (severity: Severity) => (path: Path, code: string, message: string) => {
    findings.push({
      severity,
      code,
      file: file.path,
      path: writePath(path),
      line: file.lineOf(path),
      message,
    })
  }
  return { error: add('error'), warning: add('warning'), note: add('note') }
}

/** `tips.welcome.position`, `routes[0].route_name`. */
function writePath(path: Path): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`
    return before === '' ? step : `${before}.${step}`
  }, '')
}
