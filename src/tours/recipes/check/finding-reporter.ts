import type { ParsedFile } from '../reading/recipe-content.ts'
import type { Finding, Severity } from './findings.ts'

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
