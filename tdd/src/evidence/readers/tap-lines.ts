import type { TestResult } from '../test-report.ts'

/** One test line with the subtests indented under it. */
export type TapPoint = {
  name: string
  outcome: TestResult['outcome']
  subtests: readonly TapPoint[]
  isSuite: boolean
  location: string | undefined
}

/** Parses a line such as `not ok 2 - adds # TODO later`; skipped tests and todos count as skipped. */
export function readPoint(line: string): TapPoint | undefined {
  const parts = /^(not )?ok(?=\s|$)(?: +(\d+))?(?: *-)? *(.*)$/.exec(line)
  if (parts === null) return undefined
  const description = ` ${parts[3] ?? ''}`.replace(/ \{\s*$/, '')
  const isSkipped = /\s#\s*(?:skip|todo\b)/i.test(description)
  const name = description.replace(/\s#\s*(?:skip|todo\b|time=).*$/i, '').trim()
  return {
    // A test without a name is identified by its number.
    name: name === '' ? `#${parts[2] ?? ''}` : name.replace(/\\([#\\])/g, '$1'),
    outcome: isSkipped ? 'skipped' : parts[1] === undefined ? 'passed' : 'failed',
    subtests: [],
    isSuite: false,
    location: undefined,
  }
}

/** Reads the diagnostics of node for a point: whether it is a group of tests, and its file. */
export function readDiagnostic(line: string, point: TapPoint): void {
  if (/^type: '?suite'?$/.test(line)) point.isSuite = true
  const place = /^location: '(.+):\d+:\d+'$/.exec(line)?.[1]
  if (place !== undefined) point.location = place
}
