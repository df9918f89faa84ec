import { runtimeFieldsOf } from '#kernel/native-api'
import type { ModelCall } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'

/** Throws a ProviderFailure for fields that only nodes of the cluster support. */
export function refuseRuntimeFields(label: string, { runtime }: ModelCall): void {
  const [field] = runtimeFieldsOf(runtime)
  if (field !== undefined) throw unsupportedBy(label, `only nodes of the cluster support \`${field}\``)
}

/** The default values of sampling options. */
const defaults = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0 } as const

type SamplingOption = keyof typeof words

export type WireNames = Readonly<Partial<Record<SamplingOption, string>>>

/** The call without options at their default value: some models refuse even these. */
export function withoutDefaults(call: ModelCall): ModelCall {
  const entries = Object.entries(defaults) as [keyof typeof defaults, number][]
  const removed = entries
    .filter(([option, value]) => call[option] === value)
    .map(([option]) => [option, undefined])
  return { ...call, ...Object.fromEntries(removed) }
}

/**
 * Throws a ProviderFailure when the body lacks an option of the call. The SDK silently drops or changes options that a model
 * does not support.
 */
export function refuseDroppedOptions(
  label: string,
  call: ModelCall,
  names: WireNames,
  body: Readonly<Record<string, unknown>>,
): void {
  for (const option of Object.keys(words) as SamplingOption[]) {
    const value = call[option]
    const name = names[option]
    if (value === undefined || (name !== undefined && body[name] === value)) continue
    throw unsupportedBy(label, `${call.model} does not support ${words[option]} of ${value}`)
  }
}

const words = {
  temperature: 'a temperature',
  topP: 'a top_p',
  topK: 'a top_k',
  minP: 'a min_p',
  frequencyPenalty: 'a frequency penalty',
  presencePenalty: 'a presence penalty',
  seed: 'a seed',
} as const

export function unsupportedBy(label: string, why: string): ProviderFailure {
  return new ProviderFailure({
    kind: 'unsupported',
    message: `${label} does not support this request: ${why}.`,
  })
}
