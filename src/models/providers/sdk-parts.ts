import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Patience } from './patience.ts'
import type { FinishReason, ModelPart, TokenUsage } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'

type SdkPart = LanguageModelV4StreamPart
type Finish = Extract<SdkPart, { type: 'finish' }>

interface ReadSdkPartsOptions {
  readonly who: string
  readonly stream: ReadableStream<SdkPart>
  readonly patience: Patience
  /** Finds thinking in what the provider sent, where the SDK does not. */
  readonly readThinking: (raw: unknown) => string | undefined
}

/** How long the connection may take to end in good order after the answer did, before it is closed. */
const partingMs = 1000

/** The parts of an answer. Throws what the SDK reports as an error, and when there is no proper end. */
export async function* readSdkParts(options: ReadSdkPartsOptions): AsyncGenerator<ModelPart> {
  const { who, stream, patience, readThinking } = options
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await patience.during(reader.read())
    if (done)
      throw new ProviderFailure({ kind: 'malformed', message: `${who} ended the answer before its end.` })
    if (value.type === 'error') throw value.error
    if (value.type === 'finish') {
      await untilOver(reader)
      yield readFinish(who, value)
      return
    }
    const part = readPart(value, readThinking)
    if (part === undefined) continue
    patience.begun()
    yield part
  }
}

/** A connection that ended can be used again; one that is closed on the way cannot. */
async function untilOver(reader: ReadableStreamDefaultReader<SdkPart>): Promise<void> {
  const over = new AbortController()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  try {
    await Promise.race([rest(), sleep(partingMs, undefined, { signal: over.signal })])
  } catch {
    // The answer is complete; how the connection ends changes nothing about it.
  } finally {
    over.abort()
  }
}

function readPart(part: SdkPart, readThinking: (raw: unknown) => string | undefined): ModelPart | undefined {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? undefined : { type: 'text', text: part.delta }
    case 'reasoning-delta':
      return part.delta === '' ? undefined : { type: 'thinking', text: part.delta }
    case 'raw': {
      const text = readThinking(part.rawValue)
      return text === undefined || text === '' ? undefined : { type: 'thinking', text }
    }
    default:
      return undefined
  }
}

const finishes: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason | undefined>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'other',
  other: 'other',
  // Not ends: it broke off.
  error: undefined,
  interrupted: undefined,
}

function readFinish(who: string, { finishReason, usage }: Finish): ModelPart {
  const finish = finishes[finishReason.unified]
  if (finish === undefined) {
    throw new ProviderFailure({ kind: 'malformed', message: `${who} ended the answer before its end.` })
  }
  return { type: 'end', finish, usage: readUsage(usage) }
}

/** `total` has what was read from the provider's memory and what was written to it. */
function readUsage({ inputTokens, outputTokens }: Finish['usage']): TokenUsage {
  return {
    inputTokens: inputTokens.total ?? null,
    cachedInputTokens: inputTokens.cacheRead ?? null,
    cacheWriteTokens: inputTokens.cacheWrite ?? null,
    outputTokens: outputTokens.total ?? null,
  }
}
