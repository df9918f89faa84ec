import { createAnthropicProvider } from './anthropic/anthropic-provider.ts'
import type { CloudProvider, CloudProviderOptions } from './cloud-provider.ts'
import { createGeminiProvider } from './gemini/gemini-provider.ts'
import { createOpenAiProvider } from './openai/openai-provider.ts'

const creators = {
  openai: createOpenAiProvider,
  anthropic: createAnthropicProvider,
  gemini: createGeminiProvider,
} as const

/** Creates a provider that an operator added. */
export function createProviderOfKind(
  kind: keyof typeof creators,
  options: CloudProviderOptions,
): CloudProvider {
  return creators[kind](options)
}
