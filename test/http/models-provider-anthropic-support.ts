import { readSettings } from '#kernel/config'
import { createAnthropicProvider } from '../../src/models/providers/anthropic/anthropic-provider.ts'
import { anthropicSettings } from '../../src/models/providers/anthropic/settings.ts'
import type { CloudProvider } from '../../src/models/providers/cloud-provider.ts'
import type { AnthropicServer } from '../support/anthropic-server.ts'
import { patient } from './models-provider-support.ts'

export const apiKey = 'sk-ant-test-0123456789'
export const model = 'claude-sonnet-4-5'

interface AnthropicUnderTest {
  readonly key?: string | undefined
  readonly limits?: typeof patient
  /** ANTHROPIC_MODELS. */
  readonly models?: string
}

export function providerFor(
  server: Pick<AnthropicServer, 'baseUrl'>,
  more: AnthropicUnderTest = {},
): CloudProvider {
  const { limits = patient } = more
  const key = 'key' in more ? more.key : apiKey
  return createAnthropicProvider({
    settings: readSettings(anthropicSettings, {
      ANTHROPIC_BASE_URL: server.baseUrl,
      ANTHROPIC_MODELS: more.models,
    }),
    limits,
    readKey: async () => key,
  })
}
