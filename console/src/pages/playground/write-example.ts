import { writeCurl } from '../../api/write-curl.ts'
import { type ChatRequest, chatPath } from './chat-request.ts'

/** The request for a terminal. */
export function writeTerminalExample({ body, headers }: ChatRequest, origin: string): string {
  const url = `${origin}${chatPath}`
  return writeCurl({ method: 'POST', url, body: JSON.stringify(body), headers, streams: true })
}

/** The request for a program with the `openai` package. */
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
