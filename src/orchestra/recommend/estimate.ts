import { criteria } from '#executions-api'
import { type CatalogueEntry, costOf } from '#models'
import type { AgentDefinition } from '../agents/definition.ts'
import { noPrice, priceOf } from '../agents/pricing.ts'
import {
  type AgentEstimate,
  type AgentRecord,
  type Estimated,
  type KnownAgent,
  worksWithoutModel,
} from './candidate.ts'
import type { Requirements } from './requirements.ts'

/** Estimates a run for the request. */
export function estimateAgent(known: KnownAgent, requirements: Requirements): AgentEstimate {
  const { agent, record, model } = known
  const { isEnterprise } = requirements
  const tokens = tokensFor(known, requirements)
  const charge = chargeOf(agent, tokens, { isEnterprise, isBulk: false })
  const inBulk = chargeOf(agent, tokens, { isEnterprise, isBulk: true })
  return {
    cost: costFor(known, record, { model, tokens, charge }),
    duration: { value: record.medianMs, source: record.medianMs === null ? null : 'agent_history' },
    charge,
    bulkDiscount: charge === null || inBulk === null ? null : charge - inBulk,
    tokens,
  }
}

/** The model cost of these tokens; null when the price is unknown. */
function modelCost(
  entry: CatalogueEntry,
  { input, output }: { readonly input: number; readonly output: number },
): number | null {
  return costOf(entry.price, { inputTokens: input, outputTokens: output, cachedInputTokens: null })
}

/** Estimates a run with another model; past costs and durations do not apply to it. */
export function estimateWith(
  known: KnownAgent,
  model: CatalogueEntry,
  requirements: Requirements,
): AgentEstimate {
  const record = { ...known.record, averageMicroDollars: null, medianMs: null }
  return estimateAgent({ ...known, record, model }, requirements)
}

/** The average tokens of its runs; without runs, the content and the prompt as input and the token limit as output. */
function tokensFor({ agent, record, model }: KnownAgent, { length }: Requirements): AgentEstimate['tokens'] {
  if (model === undefined || model.provider === 'builtin') return { input: 0, output: 0 }
  const measured = record.tokens
  if (measured !== null && measured.input + measured.output > 0) {
    const needed = length === undefined ? 0 : criteria.tokensIn(length + promptLength(agent))
    return { input: Math.max(Math.round(measured.input), needed), output: Math.round(measured.output) }
  }
  const output = agent.ai_options?.max_tokens
  if (length === undefined || output === undefined) return null
  return { input: criteria.tokensIn(length + promptLength(agent)), output }
}

function promptLength({ prompt = '', system_prompt: system = '' }: AgentDefinition): number {
  return prompt.length + system.length
}

/** The surcharge of a run; null when it depends on unknown tokens. */
function chargeOf(
  { pricing = noPrice }: AgentDefinition,
  tokens: AgentEstimate['tokens'],
  use: { readonly isEnterprise: boolean; readonly isBulk: boolean },
): number | null {
  if (pricing.per_token > 0 && tokens === null) return null
  return priceOf(pricing, { ...use, tokens: tokens === null ? 0 : tokens.input + tokens.output })
}

interface CostBasis {
  readonly model: CatalogueEntry | undefined
  readonly tokens: AgentEstimate['tokens']
  readonly charge: number | null
}

/** Past costs apply only if the past runs used a paid model exactly when the next one does. */
function costFor(known: KnownAgent, record: AgentRecord, { model, tokens, charge }: CostBasis): Estimated {
  const usedTokens = record.tokens !== null && record.tokens.input + record.tokens.output > 0
  const isPaid = model !== undefined && model.provider !== 'builtin'
  if (record.averageMicroDollars !== null && usedTokens === isPaid)
    return { value: record.averageMicroDollars, source: 'agent_history' }
  const modelOnly = isPaid && tokens !== null ? modelCost(model, tokens) : null
  const base = isPaid ? modelOnly : worksWithoutModel(known) ? 0 : null
  if (base === null || charge === null) return { value: null, source: null }
  return { value: base + charge, source: 'catalogue' }
}
