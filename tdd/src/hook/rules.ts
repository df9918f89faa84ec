import type { FileClass } from '../classify/file-class.ts'
import type { Level } from '../config/config.ts'
import type { Phase } from '../state/state.ts'

/** The rules the hook can report. */
export type Rule =
  | 'red-tests-only'
  | 'green-tests-fixed'
  | 'refactor-keep-green'
  | 'test-first'
  | 'own-state'
  | 'own-rules'
  | 'own-hooks'
  | 'own-release'

export type RuleOutcome =
  | { readonly outcome: 'allow' }
  | { readonly outcome: 'warn' | 'deny'; readonly rule: Rule }

/**
 * Guarded files, which the assistant must not change: `state` is the data of this tool in `.tdd`, `rules` its configuration,
 * `hooks` the settings that make assistants and git call it. `release` is no file but a command that suspends the rules.
 */
type GuardedClass = 'state' | 'rules' | 'hooks' | 'release'

const guardedRules: Readonly<Record<GuardedClass, Rule>> = {
  state: 'own-state',
  rules: 'own-rules',
  hooks: 'own-hooks',
  release: 'own-release',
}

export function isGuarded(kind: FileClass | GuardedClass): kind is GuardedClass {
  return Object.hasOwn(guardedRules, kind)
}

export interface Question {
  readonly phase: Phase
  readonly class: FileClass | GuardedClass
  readonly level: Level
  readonly enforceWorkflow: boolean
  readonly requireTestFirst: boolean
  /** The file contains its own tests, as in Rust, so that tests and implementation cannot be distinguished. */
  readonly inlineTests: boolean
}

/**
 * Decides about an edit by phase and file class. The level `off` allows everything silently.
 *
 * | phase    | implementation          | test            | guarded                 | else  |
 * |----------|-------------------------|-----------------|-------------------------|-------|
 * | RED      | strict: deny, warn: warn| allow           | strict: deny, warn: warn| allow |
 * | GREEN    | allow                   | warn            | as above                | allow |
 * | REFACTOR | warn: keep tests green  | the same        | as above                | allow |
 * | unknown  | warn when test-first    | allow           | as above                | allow |
 *
 * A workflow that is not enforced denies nothing, and a file that contains its tests causes a warning, never a denial.
 */
export function applyRules(question: Question): RuleOutcome {
  const { phase, level, enforceWorkflow } = question
  const kind = question.class
  if (level === 'off') return { outcome: 'allow' }
  const refusing = level === 'strict' && enforceWorkflow ? 'deny' : 'warn'
  if (isGuarded(kind)) return { outcome: refusing, rule: guardedRules[kind] }
  const implementation = kind === 'implementation'
  if (phase === 'RED' && implementation)
    return { outcome: question.inlineTests ? 'warn' : refusing, rule: 'red-tests-only' }
  if (phase === 'GREEN' && kind === 'test') return { outcome: 'warn', rule: 'green-tests-fixed' }
  if (phase === 'REFACTOR' && (implementation || kind === 'test'))
    return { outcome: 'warn', rule: 'refactor-keep-green' }
  if (phase === 'unknown' && implementation && question.requireTestFirst)
    return { outcome: 'warn', rule: 'test-first' }
  return { outcome: 'allow' }
}
