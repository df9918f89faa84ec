import type { AiPromptStep } from '../../definition/step-types.ts'

/** What the author of a prompt said about the model that answers it. */
export function wishesOf({ ai_options: options = {} }: Pick<AiPromptStep, 'ai_options'>) {
  return { model: options.model, temperature: options.temperature, maxTokens: options.max_tokens }
}
