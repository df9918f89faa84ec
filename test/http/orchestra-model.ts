import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

/** The next response of the model with its usage: $0.00045 by the price list. */
export const says = (text: string) => ({ steps: [{ text }], usage: { input: 1000, output: 500 } })

/** A step that calls the model. */
export const asks = (id: string, prompt: string, more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt,
  ai_options: { model: 'openai/gpt-4o-mini', max_tokens: 1000 },
  ...more,
})

/** Orchestra with a fake OpenAI server. */
export async function startWithModel(
  options: Parameters<typeof startOrchestraServer>[0] = {},
): Promise<AsyncDisposable & { readonly openai: OpenAiServer; readonly server: OrchestraServer }> {
  await using closing = new AsyncDisposableStack()
  const openai = closing.use(await startOpenAiServer())
  const server = closing.use(
    await startOrchestraServer({
      ...options,
      environment: {
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: openai.baseUrl,
        OPENAI_PRICE_LIST: 'openai',
        OPENAI_DEFAULT_MODEL: 'gpt-4o-mini',
      },
    }),
  )
  const opened = closing.move()
  return { openai, server, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The last request, as one text. */
export function lastAsked({ requests }: OpenAiServer): string {
  return JSON.stringify(requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body)
}
