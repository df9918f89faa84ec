import type { ModelCall } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'

/** How long a model stays loaded is no question where nobody loads it, so it changes nothing to leave it out. */
const runtimeHints = new Set(['keep_alive'])

/** Refuses a call with fields that only nodes of the cluster understand. */
export function refuseRuntimeFields(who: string, { runtime = {} }: ModelCall): void {
  const field = Object.keys(runtime).find((name) => !runtimeHints.has(name))
  if (field !== undefined) throw cannot(who, `\`${field}\` is understood by nodes of the cluster alone`)
}

/** Values that ask for what happens anyway. */
const neutral = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0 } as const

type Wish = 'temperature' | 'topP' | 'frequencyPenalty' | 'presencePenalty' | 'seed'

export type WireNames = Readonly<Partial<Record<Wish, string>>>

/** The call without what it would get anyway: some models refuse even that. */
export function withoutNeutral(call: ModelCall): ModelCall {
  const entries = Object.entries(neutral) as [keyof typeof neutral, number][]
  const idle = entries.filter(([wish, value]) => call[wish] === value).map(([wish]) => [wish, undefined])
  return { ...call, ...Object.fromEntries(idle) }
}

/**
 * Compares what is about to be sent with what was asked for. The SDK leaves out or changes what it knows a model to refuse,
 * and the caller would never learn of it.
 */
export function refuseLostWishes(
  who: string,
  call: ModelCall,
  names: WireNames,
  body: Readonly<Record<string, unknown>>,
): void {
  for (const wish of ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed'] as const) {
    const asked = call[wish]
    const name = names[wish]
    if (asked === undefined || (name !== undefined && body[name] === asked)) continue
    throw cannot(who, `${call.model} does not take ${words[wish]} of ${asked}`)
  }
}

const words: Readonly<Record<Wish, string>> = {
  temperature: 'a temperature',
  topP: 'a top_p',
  frequencyPenalty: 'a frequency penalty',
  presencePenalty: 'a presence penalty',
  seed: 'a seed',
}

export function cannot(who: string, why: string): ProviderFailure {
  return new ProviderFailure({ kind: 'unsupported', message: `${who} cannot do what was asked: ${why}.` })
}
