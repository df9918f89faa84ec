import type { AiPromptStep } from '../../definition/step-types.ts'

/** The model options of a prompt step. */
export function modelOptionsOf({ ai_options: options = {} }: Pick<AiPromptStep, 'ai_options'>) {
  return { model: options.model, temperature: options.temperature, maxTokens: options.max_tokens }
}
