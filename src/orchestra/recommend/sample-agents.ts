import type { CatalogueEntry } from '#models'
import type { AgentDefinition } from '../agents/definition.ts'
import type { AgentRecord, Candidate, KnownAgent } from './candidate.ts'
import { estimateAgent } from './estimate.ts'
import { type Requirements, readRequirements } from './requirements.ts'

/** Sample agents, models and requests for tests. */

interface Sample {
  readonly agent?: Partial<AgentDefinition>
  readonly status?: KnownAgent['status']
  readonly record?: Partial<AgentRecord>
  readonly model?: CatalogueEntry | undefined
  readonly requirements?: Requirements
}

const untried: AgentRecord = {
  completed: 0,
  failed: 0,
  medianMs: null,
  averageMicroDollars: null,
  quality: null,
  tokens: null,
}

export function sampleAgent(id: string, sample: Sample = {}): Candidate {
  const known: KnownAgent = {
    agent: {
      id,
      label: id,
      description: 'Does its work',
      category: 'content',
      capabilities: ['work'],
      supported_languages: ['*'],
      input_types: ['text'],
      output_format: 'json',
      configuration: { supports_streaming: false, max_input_length: 50_000, timeout: 60, retry_limit: 1 },
      prompt: 'Work on {{content}}',
      analysis_output: {},
      ...sample.agent,
    },
    status: sample.status ?? 'active',
    record: { ...untried, ...sample.record },
    model: 'model' in sample ? sample.model : sampleModel('builtin', 'builtin'),
  }
  const estimate = estimateAgent(known, sample.requirements ?? sampleRequirements({}))
  return { ...known, estimate }
}

/** A model with a price in micro-dollars per million tokens; null: the price is unknown. */
export function sampleModel(
  provider: CatalogueEntry['provider'],
  id: string,
  { price = 0, contextLength = null }: { price?: number | null; contextLength?: number | null } = {},
): CatalogueEntry {
  return {
    provider,
    model: {
      id,
      ownedBy: provider,
      created: null,
      available: true,
      loaded: true,
      nodes: [],
      size: null,
      capabilities: ['completion'],
      contextLength,
      maxOutputTokens: null,
    },
    price:
      price === null
        ? { source: 'unpriced' }
        : { source: 'table', prices: { input: price, cachedInput: price, output: price }, version: '1' },
  }
}

export function sampleRequirements(
  context: Parameters<typeof readRequirements>[0]['context'],
  more: Omit<Parameters<typeof readRequirements>[0], 'context'> = {},
  { isEnterprise = false } = {},
): Requirements {
  return readRequirements({ context, ...more }, { now: new Date('2026-03-31T12:00:00Z'), isEnterprise })
}
