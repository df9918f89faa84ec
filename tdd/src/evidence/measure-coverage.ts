import { readFileSync, statSync } from 'node:fs'
import type { CoverageFact } from '../hook/coverage-fact.ts'
import type { Project } from '../places/locate.ts'
import { readLog } from '../state/log.ts'
import { coverageFileCandidates, readCoverage } from './coverage/read-coverage.ts'

/** Reads the coverage of a package from its own report, else from the project's. No tree is walked. */
export function measureCoverage(project: Project, packageName: string): CoverageFact {
  const report = findReport(project, packageName)
  if (report === undefined) return {}
  const newerEdit = readLog(project, new Date(report.mtimeMs)).some(
    (entry) =>
      entry.kind === 'edit' &&
      entry.class === 'implementation' &&
      entry.outcome !== 'blocked' &&
      (statSync(`${project.root}/${entry.path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) > report.mtimeMs,
  )
  return { file: report.file, percent: newerEdit ? undefined : report.percent }
}

interface FoundReport {
  readonly file: string
  readonly mtimeMs: number
  readonly percent: number
}

function findReport({ root }: Project, packageName: string): FoundReport | undefined {
  const folders = packageName === '.' ? [''] : [`${packageName}/`, '']
  for (const folder of folders) {
    for (const candidate of coverageFileCandidates) {
      const file = `${folder}${candidate}`
      const stat = statSync(`${root}/${file}`, { throwIfNoEntry: false })
      if (stat === undefined || !stat.isFile()) continue
      const coverage = readCoverage(readFileSync(`${root}/${file}`, 'utf8'), file)
      if (coverage !== undefined) return { file, mtimeMs: stat.mtimeMs, percent: coverage.percent }
    }
  }
  return undefined
}
