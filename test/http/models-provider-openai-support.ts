import { readSettings } from '#kernel/config'
import type { CloudProvider } from '../../src/models/providers/cloud-provider.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { openAiSettings } from '../../src/models/providers/openai/settings.ts'
import type { OpenAiServer } from '../support/openai-server.ts'
import { patient } from './models-provider-support.ts'

export const apiKey = 'sk-test-0123456789'
export const model = 'gpt-4o-mini'

interface OpenAiUnderTest {
  readonly key?: string | undefined
  readonly limits?: typeof patient
  /** OPENAI_MODELS. */
  readonly models?: string
}

export function providerFor(
  server: Pick<OpenAiServer, 'baseUrl'>,
  more: OpenAiUnderTest = {},
): CloudProvider {
  const { limits = patient } = more
  const key = 'key' in more ? more.key : apiKey
  return createOpenAiProvider({
    settings: readSettings(openAiSettings, { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODELS: more.models }),
    limits,
    readKey: async () => key,
  })
}
