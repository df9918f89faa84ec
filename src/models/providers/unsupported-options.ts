import type { ModelCall } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'

/** Runtime fields about memory and hardware, without effect at providers that do not load models; they are ignored there. */
const runtimeHints: ReadonlySet<string> = new Set([
  'keep_alive',
  'options.f16_kv',
  'options.logits_all',
  'options.low_vram',
  'options.main_gpu',
  'options.num_batch',
  'options.num_ctx',
  'options.num_gpu',
  'options.num_keep',
  'options.num_thread',
  'options.numa',
  'options.use_mlock',
  'options.use_mmap',
  'options.vocab_only',
])

const maxFields = 5
const maxFieldLength = 64

/** The names of the fields that only nodes support, as the caller wrote them; options are named one by one. */
export function runtimeFieldsOf(runtime: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const names = Object.entries(runtime).flatMap(([name, value]) =>
    name === 'options' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((option) => `options.${option}`)
      : [name],
  )
  return names
    .filter((name) => !runtimeHints.has(name))
    .slice(0, maxFields)
    .map((name) => name.slice(0, maxFieldLength))
}

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
