import { type CatalogueEntry, costOf } from '#models'
import type { AgentDefinition } from '../agents/definition.ts'
import { noPrice, priceOf } from '../agents/pricing.ts'
import { type AgentEstimate, type Estimated, type KnownAgent, worksAlone } from './candidate.ts'
import type { AgentRecord } from './record.ts'
import type { Wishes } from './wishes.ts'

/** Characters of a token in a usual text. */
const charactersPerToken = 4

export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}

/** What a run for this request is likely to take. */
export function estimateAgent(known: KnownAgent, wishes: Wishes): AgentEstimate {
  const { agent, record, model } = known
  const { isEnterprise } = wishes
  const tokens = tokensFor(known, wishes)
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

/** What a model would cost for these tokens; null when nobody knows. */
function modelCost(
  entry: CatalogueEntry,
  { input, output }: { readonly input: number; readonly output: number },
): number | null {
  return costOf(entry.price, { inputTokens: input, outputTokens: output, cachedInputTokens: null })
}

/** What it is likely to take with another model: what runs have cost and taken says nothing of that. */
export function estimateWith(known: KnownAgent, model: CatalogueEntry, wishes: Wishes): AgentEstimate {
  const record = { ...known.record, averageMicroDollars: null, medianMs: null }
  return estimateAgent({ ...known, record, model }, wishes)
}

/** As its runs were; else as long as the content and what is asked besides, with the longest answer it may get. */
function tokensFor({ agent, record, model }: KnownAgent, { length }: Wishes): AgentEstimate['tokens'] {
  if (model === undefined || model.provider === 'builtin') return { input: 0, output: 0 }
  const measured = record.tokens
  if (measured !== null && measured.input + measured.output > 0) {
    const asked = length === undefined ? 0 : tokensIn(length + promptLength(agent))
    return { input: Math.max(Math.round(measured.input), asked), output: Math.round(measured.output) }
  }
  const output = agent.ai_options?.max_tokens
  if (length === undefined || output === undefined) return null
  return { input: tokensIn(length + promptLength(agent)), output }
}

function promptLength({ prompt = '', system_prompt: system = '' }: AgentDefinition): number {
  return prompt.length + system.length
}

/** What the agent takes for a run; null when it depends on tokens that cannot be told. */
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

/** What runs have cost says nothing once a model is there that must be paid and was not asked yet. */
function costFor(known: KnownAgent, record: AgentRecord, { model, tokens, charge }: CostBasis): Estimated {
  const usedTokens = record.tokens !== null && record.tokens.input + record.tokens.output > 0
  const isPaid = model !== undefined && model.provider !== 'builtin'
  if (record.averageMicroDollars !== null && usedTokens === isPaid)
    return { value: record.averageMicroDollars, source: 'agent_history' }
  const asked = isPaid && tokens !== null ? modelCost(model, tokens) : null
  const answered = isPaid ? asked : worksAlone(known) ? 0 : null
  if (answered === null || charge === null) return { value: null, source: null }
  return { value: answered + charge, source: 'catalogue' }
}
