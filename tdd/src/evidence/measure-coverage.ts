import { readFileSync, statSync } from 'node:fs'
import { classify } from '../classify/classify.ts'
import type { Config } from '../config/config.ts'
import { type Git, nulSeparated } from '../git/run-git.ts'
import type { CoverageStats } from '../hook/cached-coverage.ts'
import type { Project } from '../project/locate.ts'
import { readLog } from '../state/log.ts'
import { coverageFileCandidates, readCoverage } from './coverage/read-coverage.ts'
import { userRules } from './hash-tests.ts'

/** Reads the coverage of a package from its own report, else from the project's, without searching the folders. */
export function measureCoverage(project: Project, packageName: string): CoverageStats {
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

export interface CurrentCoverage extends CoverageStats {
  /** A file that is newer than the report. */
  readonly newerFile?: string
}

/** A package's coverage, and whether the report is newer than the code. */
export function currentCoverage(
  project: Project,
  packageName: string,
  config: Config,
  git: Git,
): CurrentCoverage {
  const fact = measureCoverage(project, packageName)
  if (fact.file === undefined) return fact
  const reportMtimeMs = statSync(`${project.root}/${fact.file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const listed = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', packageName])
  const rules = userRules(config)
  const newerFile = nulSeparated(listed ?? '').find((path) => {
    const pathInPackage = packageName === '.' ? path : path.slice(packageName.length + 1)
    const options = { rules, framework: config.project.framework }
    if (classify({ path, package: packageName, pathInPackage }, options) !== 'implementation') return false
    return (statSync(`${project.root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) > reportMtimeMs
  })
  return newerFile === undefined ? fact : { file: fact.file, newerFile }
}
