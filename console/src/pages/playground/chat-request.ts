import { writeCurl } from '../../api/write-curl.ts'
import type { AskSettings } from './ask-settings.ts'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A question with the earlier messages. */
export interface Question {
  readonly model: string
  readonly settings: AskSettings
  readonly said: readonly ChatMessage[]
  readonly question: string
}

/** The request body, also used for the copied code examples. */
export interface ChatRequest {
  readonly body: {
    readonly model: string
    readonly messages: readonly ChatMessage[]
    readonly temperature?: number
    readonly max_tokens?: number
    readonly response_format?: { readonly type: 'json_object' }
    readonly stream: true
    readonly stream_options: { readonly include_usage: true }
  }
  readonly headers: Readonly<Record<string, string>>
}

export const chatPath = '/v1/chat/completions'

export function writeChatRequest({ model, settings, said, question }: Question): ChatRequest {
  const { system, json, remembered } = settings
  const fallback = fallbackOf(settings)
  return {
    body: {
      model,
      messages: [
        ...(system.trim() === '' ? [] : [{ role: 'system', content: system } as const]),
        ...said,
        { role: 'user', content: question },
      ],
      ...numberField('temperature', settings.temperature),
      ...numberField('max_tokens', settings.maxTokens),
      ...(json ? { response_format: { type: 'json_object' } } : {}),
      stream: true,
      stream_options: { include_usage: true },
    },
    headers: {
      ...(fallback === 'none' ? {} : { 'x-model-fallback': fallback }),
      ...(remembered ? {} : { 'cache-control': 'no-cache' }),
    },
  }
}

function fallbackOf({ fallback, fallbackModels }: AskSettings): string {
  if (fallback !== 'these') return fallback
  const names = fallbackModels.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').join(', ') || 'none'
}

/** An empty or invalid number is left out: the model uses its default. */
function numberField(name: 'temperature' | 'max_tokens', text: string) {
  const value = Number(text)
  return text.trim() === '' || Number.isNaN(value) ? {} : { [name]: value }
}

/** The request as a shell command. */
export function writeTerminalExample({ body, headers }: ChatRequest, origin: string): string {
  const url = `${origin}${chatPath}`
  return writeCurl({ method: 'POST', url, body: JSON.stringify(body), headers, streams: true })
}

/** The request as a program that uses the `openai` package. */
export function writeTypeScript({ body, headers }: ChatRequest, origin: string): string {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [title(name), value]))
  const options = Object.keys(named).length === 0 ? '' : `, { headers: ${JSON.stringify(named)} }`
  return [
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ baseURL: ${JSON.stringify(`${origin}/v1`)}, apiKey: process.env.TUTTI_API_KEY })`,
    '',
    `const answer = await client.chat.completions.create(${JSON.stringify(body, null, 2)}${options})`,
    'for await (const { choices, usage } of answer) {',
    "  process.stdout.write(choices[0]?.delta.content ?? '')",
    '  if (usage) console.log(usage)',
    '}',
    '',
  ].join('\n')
}

function title(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
