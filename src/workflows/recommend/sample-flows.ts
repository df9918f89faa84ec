import type { Flow } from '#engine'
import type { CatalogueEntry } from '#models'
import type { AskedModel, Candidate, FlowRecord } from './candidate.ts'
import { type Requirements, readRequirements } from './requirements.ts'

/** Sample flows, models and requests for tests. */

type Definition = Flow['definition']
type Estimate = Candidate['estimate']['cost']

interface Sample {
  readonly flow?: Partial<Definition>
  readonly metadata?: Flow['metadata']
  readonly record?: Partial<FlowRecord>
  readonly cost?: number | null
  readonly ms?: number | null
  readonly source?: Estimate['source']
  readonly steps?: Candidate['estimate']['steps']
  readonly models?: readonly AskedModel[]
}

function estimateOf(value: number | null, source: Estimate['source']): Estimate {
  return { value, source: value === null ? null : source, sample: 0, confidence: null }
}

export const prompt = (id: string, more: object = {}) =>
  ({ id, type: 'ai_prompt', prompt: 'Write.', ...more }) as Definition['steps'][number]

export const callOut = (id: string, more: object = {}) =>
  ({ id, type: 'external_api', api: { url: 'https://example.org' }, ...more }) as Definition['steps'][number]

export function sampleFlow(id: string, sample: Sample = {}): Candidate {
  const { flow = {}, metadata = {}, record = {}, source = 'flow_history' } = sample
  return {
    flow: {
      flowId: id,
      version: 1,
      builtIn: false,
      metadata,
      definition: { id, label: id, steps: [prompt('write')], ...flow },
    },
    record: { completed: 0, failed: 0, quality: null, bytes: null, ...record },
    estimate: {
      duration: estimateOf(sample.ms ?? null, source),
      cost: estimateOf(sample.cost ?? null, source),
      steps: sample.steps ?? [],
    },
    models: sample.models ?? [],
  }
}

export function sampleStep(stepId: string, cost: number | null, ms: number | null, runShare = 1) {
  return {
    stepId,
    cost: estimateOf(cost, 'flow_history'),
    duration: estimateOf(ms, 'flow_history'),
    runShare,
  }
}

/** A model with this price in dollars per million tokens. */
export function sampleModel(
  provider: CatalogueEntry['provider'],
  id: string,
  price: number | null,
  more: Partial<CatalogueEntry['model']> = {},
): CatalogueEntry {
  const each = price === null ? 0 : price * 1e6
  return {
    provider,
    model: {
      id,
      created: null,
      ownedBy: provider,
      available: true,
      loaded: false,
      nodes: [],
      size: null,
      capabilities: ['completion'],
      contextLength: null,
      maxOutputTokens: null,
      ...more,
    },
    price:
      price === null
        ? { source: 'unpriced' }
        : { source: 'table', prices: { input: each, cachedInput: each, output: each }, version: '1' },
  }
}

const noon = new Date('2026-05-01T12:00:00Z')

export function sampleRequirements(
  context: Parameters<typeof readRequirements>[0]['context'] = {},
  rest: Omit<Parameters<typeof readRequirements>[0], 'context'> = {},
): Requirements {
  return readRequirements({ context, ...rest }, noon)
}
