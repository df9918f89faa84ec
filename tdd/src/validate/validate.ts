import type { Config } from '../config/config.ts'
import { type CurrentCoverage, currentCoverage } from '../evidence/current-coverage.ts'
import { checkTimeoutMs, gitWithin } from '../git/run-git.ts'
import type { Project } from '../places/locate.ts'
import { packageInForce, type State } from '../state/state.ts'
import { checkChanges } from './check-changes.ts'
import { checkEvidence } from './check-evidence.ts'
import { mergeUnderWay, readChanges } from './read-changes.ts'
import type { Findings } from './violation.ts'

export interface Validation extends Findings {
  /** False when git could not tell what changed: then only the evidence was looked at. */
  readonly evaluated: boolean
  /** A merge, revert, cherry-pick or rebase: nothing was looked at. */
  readonly skipped: boolean
  readonly coverage: CurrentCoverage
}

export interface ValidationSubject {
  readonly project: Project
  readonly packageName: string
  readonly state: State
  readonly config: Config
  /** Look at what is staged instead of everything that changed since the last commit. */
  readonly preCommit: boolean
}

/** Checks the work in a project against its workflow. */
export function validate({ project, packageName, state, config, preCommit }: ValidationSubject): Validation {
  const home = packageInForce(state, packageName)?.name ?? '.'
  const git = gitWithin(project.root, checkTimeoutMs)
  const coverage = currentCoverage(project, home, config, git)
  if (preCommit && mergeUnderWay(project))
    return {
      violations: [],
      notices: ['a merge, revert or rebase is under way: nothing to check'],
      evaluated: true,
      skipped: true,
      coverage,
    }
  const changes = readChanges(project, config, preCommit, git)
  const touched = new Set((changes ?? []).map((change) => packageInForce(state, change.package)?.name ?? '.'))
  const packages = [...new Set([home, ...touched])].sort()
  const evidence = packages.map((name) => {
    const known = Object.hasOwn(state.packages, name) ? state.packages[name] : undefined
    return checkEvidence(
      name,
      known,
      name === home ? coverage : currentCoverage(project, name, config, git),
      config,
    )
  })
  return {
    violations: [
      ...checkChanges(changes ?? [], state, config),
      ...evidence.flatMap(({ violations }) => violations),
    ],
    notices: [
      ...(changes === undefined ? ['git cannot tell what changed here: the files were not checked'] : []),
      ...evidence.flatMap(({ notices }) => notices),
    ],
    evaluated: changes !== undefined,
    skipped: false,
    coverage,
  }
}
