import { readFileSync, statSync } from 'node:fs'
import type { Project } from '../places/locate.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { cacheFile, logFile } from '../state/places.ts'

/** What a package's coverage report says. */
export interface CoverageFact {
  /** Undefined without a report, or when the report is older than the code it measured. */
  readonly percent?: number | undefined
  /** From the project's root. */
  readonly file?: string | undefined
}

interface CachedFact extends CoverageFact {
  readonly at: number
  /** What the fact depends on: times and sizes of the report and of the log. */
  readonly basis: string
}

/** A fact this young is believed without a look. */
const freshForMs = 30_000

export type MeasureCoverage = (project: Project, packageName: string) => CoverageFact

/** The coverage of a package, measured again only when half a minute passed and the report or the edits changed. */
export function coverageFact(
  project: Project,
  packageName: string,
  now: Date,
  loadMeasure: () => MeasureCoverage,
): CoverageFact {
  const facts = readFacts(project)
  const cached = Object.hasOwn(facts, packageName) ? facts[packageName] : undefined
  const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : now.getTime() - cached.at
  if (cached !== undefined && ageMs >= 0 && ageMs < freshForMs) return cached
  if (cached?.file !== undefined && cached.basis === basisOf(project, cached.file, now)) return cached
  const measured = loadMeasure()(project, packageName)
  if (project.marked) {
    const fact: CachedFact = { at: now.getTime(), basis: basisOf(project, measured.file, now), ...measured }
    try {
      writeFileAtomically(
        cacheFile(project, 'coverage.json'),
        JSON.stringify({ ...facts, [packageName]: fact }),
      )
    } catch {
      // A read-only checkout measures each time.
    }
  }
  return measured
}

function readFacts(project: Project): Record<string, CachedFact> {
  try {
    const facts: unknown = JSON.parse(readFileSync(cacheFile(project, 'coverage.json'), 'utf8'))
    return typeof facts === 'object' && facts !== null ? (facts as Record<string, CachedFact>) : {}
  } catch {
    return {}
  }
}

function basisOf(project: Project, report: string | undefined, now: Date): string {
  return [report === undefined ? '' : `${project.root}/${report}`, logFile(project, now)]
    .map((file) => {
      const stat = file === '' ? undefined : statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? '-' : `${stat.mtimeMs}:${stat.size}`
    })
    .join(' ')
}
