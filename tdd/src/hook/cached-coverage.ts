import { readFileSync, statSync } from 'node:fs'
import type { Project } from '../project/locate.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { cacheFile, logFile } from '../state/state-files.ts'

/** The coverage of a package by its report. */
export interface CoverageStats {
  /** Undefined without a report, or when the report is older than the code it measured. */
  readonly percent?: number | undefined
  /** The path from the project's root. */
  readonly file?: string | undefined
}

interface CachedCoverage extends CoverageStats {
  readonly at: number
  /** Times and sizes of the report and of the log. */
  readonly basis: string
}

/** A younger entry is used without checking the report. */
const cacheMs = 30_000

export type MeasureCoverage = (project: Project, packageName: string) => CoverageStats

/** The coverage of a package, measured again only after half a minute and a change of the report or the log. */
export function cachedCoverage(
  project: Project,
  packageName: string,
  now: Date,
  loadMeasure: () => MeasureCoverage,
): CoverageStats {
  const entries = readCache(project)
  const cached = Object.hasOwn(entries, packageName) ? entries[packageName] : undefined
  const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : now.getTime() - cached.at
  if (cached !== undefined && ageMs >= 0 && ageMs < cacheMs) return cached
  if (cached?.file !== undefined && cached.basis === basisOf(project, cached.file, now)) return cached
  const measured = loadMeasure()(project, packageName)
  if (project.marked) {
    const entry: CachedCoverage = {
      at: now.getTime(),
      basis: basisOf(project, measured.file, now),
      ...measured,
    }
    try {
      writeFileAtomically(
        cacheFile(project, 'coverage.json'),
        JSON.stringify({ ...entries, [packageName]: entry }),
      )
    } catch {
      // A read-only checkout measures each time.
    }
  }
  return measured
}

function readCache(project: Project): Record<string, CachedCoverage> {
  try {
    const entries: unknown = JSON.parse(readFileSync(cacheFile(project, 'coverage.json'), 'utf8'))
    return typeof entries === 'object' && entries !== null ? (entries as Record<string, CachedCoverage>) : {}
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
