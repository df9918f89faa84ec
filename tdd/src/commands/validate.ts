import { effectiveLevel } from '../config/config.ts'
import { chooseLinter, lint, maxLintMs } from '../evidence/linters.ts'
import { type LintEvidence, packageInForce, type State } from '../state/state.ts'
import { readState, updateState } from '../state/store.ts'
import { notify } from '../team/notify.ts'
import { validate as check, type Validation } from '../validate/validate.ts'
import { restoreFirst, type Scene, type Surroundings, sceneOf } from './surroundings.ts'

export interface ValidateOptions {
  readonly strict: boolean
  readonly preCommit: boolean
  readonly json: boolean
  readonly folder: string | undefined
}

/** `tutti-tdd validate`: exits with 1 on a violation with `--strict`, or when the team's level is strict. */
export async function validate(
  surroundings: Surroundings,
  { strict, preCommit, json, folder }: ValidateOptions,
): Promise<number> {
  restoreFirst(surroundings, folder)
  const scene = sceneOf(surroundings, folder)
  const { project, packageName, config, problems } = scene
  const state = await lintWhenRefactoring(scene, readState(project), surroundings)
  const validation = check({ project, packageName, state, config, preCommit })
  const level = effectiveLevel(config, state)
  const current = packageInForce(state, packageName)
  const valid = validation.violations.length === 0
  if (json) {
    const { violations, notices, evaluated, skipped, coverage } = validation
    const phase = current?.state.phase ?? 'unknown'
    const threshold = config.testing.coverageThreshold
    const answer = {
      valid,
      phase,
      package: current?.name ?? '.',
      level,
      evaluated,
      skipped,
      violations,
      notices: [...problems, ...notices],
      coverage: { ...coverage, threshold },
    }
    surroundings.print(JSON.stringify(answer, null, 2))
  } else for (const line of describeValidation(validation, problems, preCommit)) surroundings.print(line)
  if (!valid && config.team.notifications)
    notify({
      title: `${validation.violations.length} against the workflow`,
      body: validation.violations[0]?.message ?? '',
    })
  return valid || !(strict || level === 'strict') ? 0 : 1
}

/** The text that `/tdd-validate` adds to a prompt. */
export function validateText(surroundings: Surroundings): string {
  const { project, packageName, config, problems } = sceneOf(surroundings)
  return describeValidation(
    check({ project, packageName, state: readState(project), config, preCommit: false }),
    problems,
    false,
  ).join('\n')
}

/** Describes the findings; a valid commit prints nothing. */
function describeValidation(
  { violations, notices }: Validation,
  problems: readonly string[],
  quiet: boolean,
): string[] {
  const decision =
    violations.length > 0
      ? [`${violations.length} against the workflow.`]
      : quiet
        ? []
        : ['✓ Nothing against the workflow.']
  return [
    ...violations.flatMap(({ rule, message, next }) => [`✗ ${rule}: ${message}`, `  next: ${next}`]),
    ...[...problems, ...notices].map((notice) => `· ${notice}`),
    ...decision,
  ]
}

/** In REFACTOR: lints the package, stores the result, and returns the new state. */
async function lintWhenRefactoring(
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
