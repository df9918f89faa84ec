import { once } from 'node:events'
import type {
  EmbedCall,
  Embeddings,
  ModelCall,
  ModelPart,
  ModelProvider,
  ProvidedModel,
  ProviderName,
  TokenUsage,
} from '../../src/models/providers/provider.ts'

/** The script of one call. */
export type Play = (call: ModelCall, signal: AbortSignal) => AsyncIterable<ModelPart>

/** A provider with scripted responses that records its requests. */
export interface Player extends ModelProvider {
  readonly calls: readonly ModelCall[]
  readonly embedCalls: readonly EmbedCall[]
  /** The number of running responses. */
  playing(): number
  /** The next scripts, once each; then the default again. */
  script(...plays: readonly Play[]): void
  scriptEmbed(play: (call: EmbedCall, signal: AbortSignal) => Promise<Embeddings>): void
}

export interface PlayerOptions {
  readonly name?: ProviderName
  readonly models?: readonly (string | Partial<ProvidedModel>)[]
}

const pieces = ['The', ' sky', ' is', ' blue', '.']

export const someUsage: TokenUsage = { inputTokens: 11, cachedInputTokens: 4, outputTokens: 5 }

export const endPart: ModelPart = { type: 'end', finish: 'stop', usage: someUsage }

/** Streams these texts and ends. */
export function saying(...texts: readonly string[]): Play {
  return async function* () {
    for (const text of texts) yield { type: 'text', text }
    yield endPart
  }
}

/** Streams these texts and then hangs until the call is aborted. */
export function hangingAfter(...texts: readonly string[]): Play {
  return async function* (_call, signal) {
    for (const text of texts) yield { type: 'text', text }
    if (!signal.aborted) await once(signal, 'abort')
    throw signal.reason
  }
}

/** Streams these texts and then throws. */
export function failingAfter(error: Error, ...texts: readonly string[]): Play {
  return async function* () {
    for (const text of texts) yield { type: 'text', text }
    throw error
  }
}

export function createPlayer({ name = 'openai', models = ['violin'] }: PlayerOptions = {}): Player {
  const calls: ModelCall[] = []
  const embedCalls: EmbedCall[] = []
  const plays: Play[] = []
  const embedPlays: ((call: EmbedCall, signal: AbortSignal) => Promise<Embeddings>)[] = []
  let playing = 0
  return {
    name,
    calls,
    embedCalls,
    playing: () => playing,
    script: (...more) => void plays.push(...more),
    scriptEmbed: (play) => void embedPlays.push(play),
    list: async () => models.map((model) => describe(name, model)),
    probe: async () => ({ state: 'online', problem: null, responseMs: 1 }),
    async *stream(call, signal) {
      calls.push(call)
      playing += 1
      try {
        yield* (plays.shift() ?? saying(...pieces))(call, signal)
      } finally {
        playing -= 1
      }
    },
    async embed(call, signal) {
      embedCalls.push(call)
      const play = embedPlays.shift()
      if (play !== undefined) return play(call, signal)
      return { vectors: call.inputs.map((input) => [input.length, 0.5, -0.25]), inputTokens: 8 }
    },
  }
}

function describe(name: ProviderName, model: string | Partial<ProvidedModel>): ProvidedModel {
  return {
    id: 'violin',
    ownedBy: name,
    created: 1_777_916_264,
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: [],
    contextLength: null,
    maxOutputTokens: null,
    ...(typeof model === 'string' ? { id: model } : model),
  }
}
