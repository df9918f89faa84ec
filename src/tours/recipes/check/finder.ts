import type { ReadFile } from '../reading/recipe-content.ts'
import type { Finding, Severity } from './findings.ts'

type Path = readonly (string | number)[]

/** Notes what is found in one file, with the place it is at. */
export interface Finder {
  readonly error: (path: Path, code: string, message: string) => void
  readonly warning: (path: Path, code: string, message: string) => void
  readonly note: (path: Path, code: string, message: string) => void
}

export function createFinder(file: Pick<ReadFile, 'path' | 'lineOf'>, findings: Finding[]): Finder {
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
