import { statSync } from 'node:fs'
import { classify } from '../classify/classify.ts'
import type { Config } from '../config/config.ts'
import { type Git, nulSeparated } from '../git/run-git.ts'
import type { CoverageFact } from '../hook/coverage-fact.ts'
import type { Project } from '../places/locate.ts'
import { userRules } from './hash-tests.ts'
import { measureCoverage } from './measure-coverage.ts'

export interface CurrentCoverage extends CoverageFact {
  /** There is a report, but this file is newer. */
  readonly newerFile?: string
}

/** A package's coverage, and whether the report still speaks about the code that is there. */
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
