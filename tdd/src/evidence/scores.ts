import type { LogEntry } from '../state/log.ts'

/** A score out of 100 with its components; undefined without data. */
export interface Score {
  readonly value: number | undefined
  readonly parts: readonly ScorePart[]
}

interface ScorePart {
  readonly name: string
  readonly value: number
}

/**
 * The compliance with the workflow, the mean of the known components:
 *
 * - red: of the cycles that reached GREEN, how many saw a test fail first
 * - green: of the runs with evidence, how many found those tests passing and unchanged
 * - edits: of the edits to code and tests, how many were in the right phase (not code in RED, not tests in GREEN)
 */
export function complianceScore(entries: readonly LogEntry[]): Score {
  const cycles = entries.filter(
    (entry) => entry.kind === 'phase' && entry.to === 'GREEN' && entry.from === 'RED',
  )
  const runs = entries.filter((entry) => entry.kind === 'run' && entry.held !== undefined)
  const edits = entries.filter(
    (entry) => entry.kind === 'edit' && entry.outcome !== 'blocked' && entry.class !== 'state',
  )
  return meanOf([
    share(
      'red',
      cycles.filter((entry) => entry.kind === 'phase' && entry.redProven === true).length,
      cycles.length,
    ),
    share('green', runs.filter((entry) => entry.kind === 'run' && entry.held === true).length, runs.length),
    share('edits', edits.filter((entry) => !isMisplaced(entry)).length, edits.length),
  ])
}

/** Whether an edit belongs to another phase: code in RED, or tests in GREEN. */
export function isMisplaced(entry: LogEntry): boolean {
  if (entry.kind !== 'edit') return false
  return (
    (entry.phase === 'RED' && entry.class === 'implementation') ||
    (entry.phase === 'GREEN' && entry.class === 'test')
  )
}

export interface QualityFacts {
  readonly coveragePercent: number | undefined
  readonly coverageThreshold: number
  readonly lastRun:
    | {
        readonly phase: string
        readonly passed: number
        readonly failed: number
        readonly failedSuites: number
      }
    | undefined
  /** The failures that RED requires, which do not lower the score of the tests. */
  readonly expectedFailures: number
  readonly violations: number
}

/**
 * The current quality of the work, the mean of the known components:
 *
 * - coverage: measured against the threshold, at most 100
 * - tests: the share that passed in the last run, without the failures that RED requires
 * - rules: 100, less 20 for each violation; alone it has no meaning, so it counts only with the others
 */
export function qualityScore({
  coveragePercent,
  coverageThreshold,
  lastRun,
  expectedFailures,
  violations,
}: QualityFacts): Score {
  const failed =
    lastRun === undefined ? 0 : Math.max(0, lastRun.failed + lastRun.failedSuites - expectedFailures)
  const measured = [
    coveragePercent === undefined
      ? undefined
      : { name: 'coverage', value: Math.min(100, (100 * coveragePercent) / Math.max(1, coverageThreshold)) },
    lastRun === undefined ? undefined : share('tests', lastRun.passed, lastRun.passed + failed),
  ]
  if (measured.every((part) => part === undefined)) return { value: undefined, parts: [] }
  return meanOf([...measured, { name: 'rules', value: Math.max(0, 100 - 20 * violations) }])
}

function share(name: string, good: number, all: number): ScorePart | undefined {
  return all === 0 ? undefined : { name, value: (100 * good) / all }
}

function meanOf(parts: readonly (ScorePart | undefined)[]): Score {
  const known = parts.filter((part) => part !== undefined)
  if (known.length === 0) return { value: undefined, parts: [] }
  const value = known.reduce((sum, part) => sum + part.value, 0) / known.length
  return {
    value: Math.floor(value),
    parts: known.map((part) => ({ ...part, value: Math.floor(part.value) })),
  }
}
