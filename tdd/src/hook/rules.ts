import type { FileClass } from '../classify/file-class.ts'
import type { Level } from '../config/config.ts'
import type { Phase } from '../state/state.ts'

/** The reasons the hook can have to speak. */
export type Rule =
  | 'red-tests-only'
  | 'green-tests-fixed'
  | 'refactor-keep-green'
  | 'test-first'
  | 'own-state'
  | 'own-rules'

export type Judgement =
  | { readonly outcome: 'allow' }
  | { readonly outcome: 'warn' | 'deny'; readonly rule: Rule }

export interface Question {
  readonly phase: Phase
  /** `state` is what this tool keeps in `.tdd`, `rules` is its configuration. */
  readonly class: FileClass | 'state' | 'rules'
  readonly level: Level
  readonly enforceWorkflow: boolean
  readonly requireTestFirst: boolean
  /** The file carries its tests inside, as Rust does, so it cannot be told apart from them. */
  readonly inlineTests: boolean
}

/**
 * What may be edited when. `off` lets everything pass without a word.
 *
 * | phase    | implementation          | test            | .tdd                    | tdd.config.yaml | else  |
 * |----------|-------------------------|-----------------|-------------------------|-----------------|-------|
 * | RED      | strict: deny, warn: warn| allow           | strict: deny, warn: warn| warn            | allow |
 * | GREEN    | allow                   | warn            | as above                | warn            | allow |
 * | REFACTOR | warn: keep tests green  | the same        | as above                | warn            | allow |
 * | unknown  | warn when test-first    | allow           | as above                | warn            | allow |
 *
 * A workflow that is not enforced denies nothing, and a file with its tests inside is warned of, never denied.
 */
export function judge(question: Question): Judgement {
  const { phase, level, enforceWorkflow } = question
  const kind = question.class
  if (level === 'off') return { outcome: 'allow' }
  const refusing = level === 'strict' && enforceWorkflow ? 'deny' : 'warn'
  if (kind === 'state') return { outcome: refusing, rule: 'own-state' }
  if (kind === 'rules') return { outcome: 'warn', rule: 'own-rules' }
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
