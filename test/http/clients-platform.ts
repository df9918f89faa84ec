import { type AnthropicServer, startAnthropicServer } from '../support/anthropic-server.ts'
import { eventually } from '../support/eventually.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import type { ReceivedRequest, ScriptedServer, ScriptedToolCall, Step } from '../support/scripted-server.ts'
import { type NodeReply, startScriptedNode } from './models-scripted-node.ts'

/** The model of each provider of the platform. */
export const models = { openai: 'gpt-4o-mini', anthropic: 'claude-sonnet-4-5', ollama: 'gemma3:4b' } as const

export type ProviderKind = keyof typeof models

export const embedder = 'text-embedding-3-small'
export const question = [{ role: 'user' as const, content: 'Why is the sky blue?' }]

/** A red pixel. */
export const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** The weather in two towns, as parallel tool calls. */
export const weatherCalls: readonly ScriptedToolCall[] = [
  { id: 'call_1', name: 'weather', arguments: ['{"ci', 'ty":"Löwen', '"}'] },
  { id: 'call_2', name: 'weather', arguments: ['{"city":"Turin"}'] },
]

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const

interface RecordedCall {
  readonly id: string
  readonly provider: string
  readonly model: string
  readonly outcome: string
  readonly failure_code: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

/** A reply in terms that every provider has. */
export interface Script {
  readonly steps: readonly Step[]
}

/** A platform with a provider of every kind, all of them servers of the test, and the key of a caller. */
export interface ClientsPlatform extends AsyncDisposable {
  readonly url: string
  readonly apiKey: string
  readonly openai: OpenAiServer
  readonly anthropic: AnthropicServer
  readonly node: ScriptedServer<NodeReply>
  /** The next replies of a provider. */
  script(provider: ProviderKind, ...scripts: readonly Script[]): void
  /** The body of the last request that a provider received. */
  lastBody(provider: ProviderKind): ReceivedRequest['body']
  /** The record of a call, once it is written. */
  findCall(matches: (call: RecordedCall) => boolean): Promise<RecordedCall>
}

const apiKey = 'a-key-of-at-least-twenty-characters'
const workPath = /\/(completions|messages|chat|generate|embed|embeddings)$/

export async function openClientsPlatform(): Promise<ClientsPlatform> {
  await using opening = new AsyncDisposableStack()
  const openai = opening.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  const anthropic = opening.use(await startAnthropicServer({ apiKey: 'sk-ant-right' }))
  const node = opening.use(
    await startScriptedNode({
      models: [models.ollama, 'nomic-embed-text'],
      description: { capabilities: ['completion', 'embedding', 'tools', 'vision', 'thinking'] },
    }),
  )
  const servers = { openai, anthropic, ollama: node }
  const platform = opening.use(
    await openPlatform({
      CLUSTER_NODES: node.url,
      OPENAI_BASE_URL: openai.baseUrl,
      OPENAI_API_KEY: 'sk-right',
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      ANTHROPIC_API_KEY: 'sk-ant-right',
      TUTTI_API_KEY: apiKey,
    }),
  )
  await eventually(async () => (await listIds(platform)).includes(models.ollama))
  const opened = opening.move()

  return {
    url: platform.url,
    apiKey,
    openai,
    anthropic,
    node,
    script: (provider, ...scripts) => servers[provider].script(...scripts),
    lastBody(provider) {
      const last = servers[provider].requests.findLast(
        ({ method, path }) => method === 'POST' && workPath.test(path),
      )
      if (last === undefined) throw new Error(`${provider} received no request`)
      return last.body
    },
    async findCall(matches) {
      let found: RecordedCall | undefined
      await eventually(async () => {
        const response = await fetch(`${platform.url}/api/v1/usage/calls?account=all`, {
          headers: basicAuth(platform),
        })
        const { data } = (await response.json()) as { readonly data: readonly RecordedCall[] }
        found = data.find(matches)
        return found !== undefined
      })
      if (found === undefined) throw new Error('the call was not recorded')
      return found
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function listIds({ url }: PlatformInProcess): Promise<readonly string[]> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } })
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] }
  return data.map(({ id }) => id)
}

export async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** The error of a call, which must fail. */
export async function failureOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    await ask()
  } catch (error) {
    return error
  }
  throw new Error('the call did not fail')
}
