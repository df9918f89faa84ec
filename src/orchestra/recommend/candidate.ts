import type { CatalogueEntry } from '#models'
import type { AgentDefinition, AgentStatus } from '../agents/definition.ts'
import type { AgentRecord } from './record.ts'

/** A number that was learned from runs, or worked out from prices. */
export interface Estimated {
  readonly value: number | null
  readonly source: 'agent_history' | 'catalogue' | null
}

/** What a run is likely to take. Money in micro-dollars, times in milliseconds. */
export interface AgentEstimate {
  readonly cost: Estimated
  readonly duration: Estimated
  /** The part of the cost that the agent charges itself, besides the model; null when its tokens cannot be told. */
  readonly charge: number | null
  /** What is taken off for each item of a batch; null likewise. */
  readonly bulkDiscount: number | null
  readonly tokens: { readonly input: number; readonly output: number } | null
}

/** What is known of an agent before its costs are worked out. */
export interface KnownAgent {
  readonly agent: AgentDefinition
  readonly status: AgentStatus
  readonly record: AgentRecord
  /** Who would answer; undefined when it asks no model, or nobody can. */
  readonly model: CatalogueEntry | undefined
}

/** An agent that might be recommended, and everything known of it. */
export interface Candidate extends KnownAgent {
  readonly estimate: AgentEstimate
}

/** Whether it asks models at all. */
export function asksModel({ agent }: Pick<KnownAgent, 'agent'>): boolean {
  return agent.prompt !== undefined
}

/** Whether it can do its work without a language model. */
export function worksAlone({ agent }: Pick<KnownAgent, 'agent'>): boolean {
  return agent.prompt === undefined || agent.analysis_output !== undefined
}
