import { describeDollars } from '../../parts/describe-amount.ts'
import { languageName } from '../../parts/language-name.ts'
import type { Tone } from '../../parts/Status.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import type { AgentEntry } from './agent-queries.ts'

/** Formats dollars; a dash for an unknown amount. */
export function describeCost(dollars: number | null | undefined): string {
  return dollars === null || dollars === undefined ? '–' : describeDollars(Math.round(dollars * 1e6))
}

export function describePercent(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? '–' : `${Math.round(percent)} %`
}

/** Formats a share of 0 to 1 as a percentage. */
export function describeShare(share: number | null | undefined): string {
  return describePercent(typeof share === 'number' ? share * 100 : share)
}

export function describeSeconds(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '–' : describeDuration(seconds)
}

export function describeRating(mean: number | null | undefined): string {
  return mean === null || mean === undefined ? '–' : `${mean.toLocaleString(undefined)} of 5`
}

/** The surcharge of the agent, on top of the cost of the model. */
export function describeFee({
  base_cost: base,
  per_token: perToken,
}: Pick<AgentEntry['pricing'], 'base_cost' | 'per_token'>): string {
  const parts = [
    ...(base > 0 ? [`${describeCost(base)} per result`] : []),
    // The price of a single token is too small to read: prices are quoted per million tokens.
    ...(perToken > 0 ? [`${describeCost(perToken * 1e6)} per million tokens`] : []),
  ]
  return parts.length === 0 ? 'none' : parts.join(' + ')
}

/** Whether an agent requires a language model, and whether one is available by default. */
export function describeNeed({
  works_without_model: worksWithout,
  model,
}: Pick<AgentEntry, 'works_without_model' | 'model'>): { tone: Tone; word: string; title?: string } {
  if (worksWithout) return { tone: 'good', word: 'Not required' }
  return !isLanguageModel(model)
    ? {
        tone: 'warn',
        word: 'Required, no default model',
        title: 'Set the default model of a provider, or add a provider.',
      }
    : { tone: 'good', word: 'Required', title: `Uses ${model.id}` }
}

/** The built-in provider analyses texts; its model is no language model. */
export function isLanguageModel(model: AgentEntry['model']): model is NonNullable<AgentEntry['model']> {
  return model !== null && model.provider !== 'builtin'
}

export const agentStates: Readonly<Record<AgentEntry['status'], { tone: Tone; word: string }>> = {
  active: { tone: 'good', word: 'Enabled' },
  inactive: { tone: 'idle', word: 'Disabled' },
  maintenance: { tone: 'warn', word: 'In maintenance' },
}

/** Formats language codes as a list of names. */
export function describeLanguages(codes: readonly string[]): string {
  if (codes.includes('*')) return 'any'
  return codes.map(languageName).join(', ')
}

/** Agents whose name, description or capabilities contain a text, ignoring case. */
export function narrowAgents<Agent extends Pick<AgentEntry, 'id' | 'label' | 'description' | 'capabilities'>>(
  agents: readonly Agent[],
  text: string | undefined,
): readonly Agent[] {
  const wanted = text?.toLowerCase()
  if (wanted === undefined) return agents
  return agents.filter(({ id, label, description, capabilities }) =>
    [id, label, description, ...capabilities].some((part) => part.toLowerCase().includes(wanted)),
  )
}

/** The account's own agents, those of other accounts, then the built-in ones; each group in its given order. */
export function ownAgentsFirst<Agent extends Pick<AgentEntry, 'built_in' | 'owner_id'>>(
  agents: readonly Agent[],
  account: string | undefined,
): readonly Agent[] {
  const rank = ({ built_in: builtIn, owner_id: owner }: Agent) => (builtIn ? 2 : owner === account ? 0 : 1)
  return agents.toSorted((one, other) => rank(one) - rank(other))
}
