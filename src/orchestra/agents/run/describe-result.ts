import { type AgentDecision, templates } from '#engine'
import { type Findings, measuredShare } from '../analysers/run-analysers.ts'
import type { CheckResult } from '../checks/run-checks.ts'
import type { WorkOrder } from './work-order.ts'

type Method = 'model' | 'analysis'

/** The result of an agent run. */
export interface AgentResult {
  readonly method: Method
  readonly output: unknown
  readonly checks: readonly CheckResult[]
  readonly findings: Findings
  /** The number of model calls. */
  readonly asked: number
  /** The model, or the built-in analysis, as it is shown to users. */
  readonly by: string
}

/** For each retry of the model. */
const retryFactor = 0.9
/** For an output that was meant for a language model. */
const withoutModelFactor = 0.5

/**
 * The confidence of a result, 0 to 1; null without checks and without a confidence of the model.
 *
 * | method     | confidence                                                                                             |
 * |------------|--------------------------------------------------------------------------------------------------------|
 * | `model`    | share of passed checks × 0.9 for each retry × the confidence field of the output, if it has one        |
 * | `analysis` | share of passed checks × share of analysers with a result; half of it when the agent has a prompt      |
 */
export function confidenceOf(
  { method, checks, findings, asked, output }: AgentResult,
  wantsModel: boolean,
): number | null {
  const decided = checks.filter(({ passed }) => passed !== null)
  const passed = decided.filter((check) => check.passed === true).length
  const share = decided.length === 0 ? 1 : passed / decided.length
  if (method === 'analysis') {
    return rounded(share * measuredShare(findings) * (wantsModel ? withoutModelFactor : 1))
  }
  const own = ownConfidence(output)
  if (decided.length === 0 && own === null) return null
  return rounded(share * retryFactor ** (asked - 1) * (own ?? 1))
}

function ownConfidence(output: unknown): number | null {
  if (typeof output !== 'object' || output === null) return null
  const { confidence } = output as { readonly confidence?: unknown }
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100
}

const maxDecisionLength = 500
const maxReasoningLength = 2000

/** The decision of an agent, from its conclusion template if it has one. */
export function decisionOf(
  { agent: { id, definition }, contextUsed }: WorkOrder,
  result: AgentResult,
  confidence: number | null,
): AgentDecision {
  const { output, method, findings } = result
  const fields = typeof output === 'object' && output !== null ? (output as Record<string, unknown>) : {}
  const scope = { memory: { ...fields, method, analysis: findings }, context: {}, steps: {} }
  const fill = (template: string) => templates.fillText(template, scope).value.trim()
  const decision = fill(definition.conclusion?.decision ?? '').slice(0, maxDecisionLength)
  const reasoning = fill(definition.conclusion?.reasoning ?? '')
  return {
    agent: id,
    decision: decision === '' ? 'completed' : decision,
    confidence,
    reasoning: [reasoning, describeMethod(result)]
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, maxReasoningLength),
    contextUsed: [...contextUsed, ...Object.keys(findings).map((name) => `analysis.${name}`)],
    alternatives: [],
    stepsAdded: [],
  }
}

function describeMethod({ method, checks, asked, by }: AgentResult): string {
  const decided = checks.filter(({ passed }) => passed !== null)
  const passed = decided.filter((check) => check.passed === true).length
  const source = method === 'model' ? `Done by ${by}` : 'Done by analysis, without a language model'
  const calls = asked > 1 ? ` in ${asked} calls` : ''
  return `${source}${calls}; ${passed} of ${decided.length} checks passed.`
}
