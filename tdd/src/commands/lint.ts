import { lint, maxLintMs } from '../evidence/lint.ts'
import { chooseLinter } from '../evidence/linters.ts'
import { type LintEvidence, packageInForce, type State } from '../state/state.ts'
import { updateState } from '../state/store.ts'
import type { Scene, Surroundings } from './surroundings.ts'

/** In REFACTOR: lints the package and keeps what came of it. Answers with the state in which that is known. */
export async function lintWhenRefactoring(
  { project, packageName, config }: Scene,
  state: State,
  { now }: Surroundings,
): Promise<State> {
  const current = packageInForce(state, packageName)
  if (current?.state.phase !== 'REFACTOR') return state
  const { name } = current
  const folder = name === '.' ? project.root : `${project.root}/${name}`
  const linter = chooseLinter(folder, config.testing.lintCommand)
  if (linter === undefined) return state
  const evidence = await lint(linter, folder, Math.min(config.testing.timeout, maxLintMs), now.toISOString())
  try {
    return updateState(project, (latest) => withLint(latest, name, evidence))
  } catch {
    // A read-only checkout is linted each time.
    return withLint(state, name, evidence)
  }
}

function withLint(state: State, name: string, lintEvidence: LintEvidence): State {
  const known = Object.hasOwn(state.packages, name) ? state.packages[name] : undefined
  if (known?.phase !== 'REFACTOR') return state
  return { ...state, packages: { ...state.packages, [name]: { ...known, lint: lintEvidence } } }
}
