import { type AgentDecision, fillText } from '#engine'
import { type Findings, measuredShare } from '../analysers/run-analysers.ts'
import type { CheckResult } from '../checks/run-checks.ts'
import type { WorkOrder } from './work-order.ts'

type Method = 'model' | 'analysis'

/** What is known about a piece of work once it is done. */
export interface Done {
  readonly method: Method
  readonly output: unknown
  readonly checks: readonly CheckResult[]
  readonly findings: Findings
  /** How often a model was asked. */
  readonly asked: number
  /** Who did it, for people. */
  readonly by: string
}

/** For each time a model had to be asked again. */
const again = 0.9
/** For what is better done by a language model, and was done without one. */
const withoutModel = 0.5

/**
 * How far a result can be relied on, 0 to 1; null when nothing was measured.
 *
 * | done by    | confidence                                                                                        |
 * |------------|---------------------------------------------------------------------------------------------------|
 * | a model    | share of checks passed × 0.9 for each time it was asked again × what it says of itself, if it does  |
 * | measuring  | share of checks passed × share of analysers that could measure; half of it when a model was meant   |
 */
export function confidenceOf(
  { method, checks, findings, asked, output }: Done,
  wantsModel: boolean,
): number | null {
  const judged = checks.filter(({ passed }) => passed !== null)
  const passed = judged.filter((check) => check.passed === true).length
  const share = judged.length === 0 ? 1 : passed / judged.length
  if (method === 'analysis') {
    return rounded(share * measuredShare(findings) * (wantsModel ? withoutModel : 1))
  }
  const own = ownConfidence(output)
  if (judged.length === 0 && own === null) return null
  return rounded(share * again ** (asked - 1) * (own ?? 1))
}

function ownConfidence(output: unknown): number | null {
  if (typeof output !== 'object' || output === null) return null
  const { confidence } = output as { readonly confidence?: unknown }
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100
}

const longestDecision = 500
const longestReasoning = 2000

/** What an agent concluded, in its own words where it has some. */
export function decisionOf(
  { agent: { id, definition }, contextUsed }: WorkOrder,
  done: Done,
  confidence: number | null,
): AgentDecision {
  const { output, method, findings } = done
  const fields = typeof output === 'object' && output !== null ? (output as Record<string, unknown>) : {}
  const scope = { memory: { ...fields, method, analysis: findings }, context: {}, steps: {} }
  const fill = (template: string) => fillText(template, scope).value.trim()
  const decision = fill(definition.conclusion?.decision ?? '').slice(0, longestDecision)
  const reasoning = fill(definition.conclusion?.reasoning ?? '')
  return {
    agent: id,
    decision: decision === '' ? 'completed' : decision,
    confidence,
    reasoning: [reasoning, howItWasDone(done)]
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, longestReasoning),
    contextUsed: [...contextUsed, ...Object.keys(findings).map((name) => `analysis.${name}`)],
    alternatives: [],
    stepsAdded: [],
  }
}

function howItWasDone({ method, checks, asked, by }: Done): string {
  const judged = checks.filter(({ passed }) => passed !== null)
  const passed = judged.filter((check) => check.passed === true).length
  const who = method === 'model' ? `Done by ${by}` : 'Done by measuring, without a language model'
  const times = asked > 1 ? `, asked ${asked} times` : ''
  return `${who}${times}; ${passed} of ${judged.length} checks passed.`
}
