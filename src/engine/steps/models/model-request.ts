import type { ChatRequest } from '#models'
import type { StepRun } from '../step-run.ts'
import type { Tally } from './tally.ts'

/** What a step wants of a model. */
interface Wanted {
  readonly system: string | undefined
  readonly prompt: string
  /** Whether the answer is to be JSON. */
  readonly asJson: boolean
  /** Default: whoever the default chain begins with. */
  readonly model?: string | undefined
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
}

/** Some providers want the word in the conversation before they answer in JSON. */
const jsonWish = 'Answer with JSON and nothing else.'

/**
 * What is asked of the gateway for a step.
 *
 * | the step              | is answered by                                                                                        |
 * |-----------------------|-------------------------------------------------------------------------------------------------------|
 * | names a model         | that model; others only when the execution lets providers fall back, or turned that provider away     |
 * | names none            | the default chain, preferred providers first                                                          |
 */
export function modelRequestOf(
  {
    rules,
    accountId,
    attempt,
    avoidedProviders,
    signal,
  }: Pick<StepRun, 'rules' | 'accountId' | 'attempt' | 'avoidedProviders' | 'signal'>,
  tally: Pick<Tally, 'purse'>,
  { system, prompt, asJson, model = 'auto', temperature, maxTokens }: Wanted,
): ChatRequest {
  const instructions = [system, asJson ? jsonWish : undefined].filter((text) => text !== undefined)
  return {
    accountId,
    purse: tally.purse,
    source: 'engine',
    signal,
    // An answer that was not taken must not be the answer again.
    cache: attempt === 1 ? 'use' : 'refresh',
    fallback: rules.mayFallBack || avoidedProviders.size > 0 ? 'any' : 'none',
    preferred: rules.preferredProviders,
    avoided: avoidedProviders,
    call: {
      model,
      kind: 'chat',
      messages: [
        ...(instructions.length === 0
          ? []
          : [{ role: 'system' as const, content: instructions.join('\n\n') }]),
        { role: 'user', content: prompt },
      ],
      temperature,
      maxTokens,
      ...(asJson && { format: {} }),
    },
  }
}
