import type { EmbedCall, ModelCall, ModelPart, ModelProvider } from '../../src/models/providers/provider.ts'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'

/** Long enough for a busy machine. */
export const patient = { firstPartMs: 20_000, stallMs: 20_000 }

export function asks(model: string, more: Partial<ModelCall> = {}): ModelCall {
  return { model, kind: 'chat', messages: [{ role: 'user', content: 'Why is the sky blue?' }], ...more }
}

/** All parts of the response. */
export async function collect(
  provider: ModelProvider,
  call: ModelCall,
  signal = new AbortController().signal,
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of provider.stream(call, signal)) parts.push(part)
  return parts
}

export const textOf = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** The parts before the failure, and the failure. Anything but a ProviderFailure is a bug of the provider. */
export async function failing(
  provider: ModelProvider,
  call: ModelCall,
): Promise<{ readonly text: string; readonly failure: ProviderFailure }> {
  const parts: ModelPart[] = []
  try {
    for await (const part of provider.stream(call, new AbortController().signal)) parts.push(part)
  } catch (error) {
    if (error instanceof ProviderFailure) return { text: textOf(parts), failure: error }
    throw error
  }
  throw new Error(`it did not fail: ${JSON.stringify(parts)}`)
}

export async function failingToEmbed(provider: ModelProvider, call: EmbedCall): Promise<ProviderFailure> {
  const error = await provider.embed(call, new AbortController().signal).catch((thrown: unknown) => thrown)
  if (error instanceof ProviderFailure) return error
  throw new Error('it did not fail as a provider', { cause: error })
}
