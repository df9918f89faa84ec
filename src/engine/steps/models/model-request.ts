import type { Budget, ChatRequest } from '#models'
import type { StepRun } from '../step-run.ts'

/** The prompt of a step and its model options. */
interface ModelRequestOptions {
  readonly system: string | undefined
  readonly prompt: string
  /** Whether the response must be JSON. */
  readonly asJson: boolean
  /** Default: the first available provider of the default chain. */
  readonly model?: string | undefined
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
}

/** Some providers require the word JSON in the conversation before they respond in JSON. */
const jsonInstruction = 'Answer with JSON and nothing else.'

/**
 * The request of a step to the gateway.
 *
 * | the step              | uses                                                                                                  |
 * |-----------------------|-------------------------------------------------------------------------------------------------------|
 * | names a model         | that model; other providers only with `fallback_enabled`, or after the provider failed the step       |
 * | names no model        | the default chain, preferred providers first                                                          |
 */
export function modelRequestOf(
  {
    rules,
    accountId,
    attempt,
    avoidedProviders,
    signal,
  }: Pick<StepRun, 'rules' | 'accountId' | 'attempt' | 'avoidedProviders' | 'signal'>,
  budget: Budget,
  { system, prompt, asJson, model = 'auto', temperature, maxTokens }: ModelRequestOptions,
): ChatRequest {
  const instructions = [system, asJson ? jsonInstruction : undefined].filter((text) => text !== undefined)
  return {
    accountId,
    budget,
    source: 'engine',
    signal,
    // A retry must not get the rejected response from the cache.
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
