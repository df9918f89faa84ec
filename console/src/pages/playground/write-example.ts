import { type ChatRequest, chatPath } from './chat-request.ts'

/** The request for a terminal. The key stays a variable: nobody wants to paste one into a chat by mistake. */
export function writeCurl({ body, headers }: ChatRequest, origin: string): string {
  const lines = [
    `curl -N ${origin}${chatPath}`,
    '-H "Authorization: Bearer $TUTTI_API_KEY"',
    "-H 'Content-Type: application/json'",
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${title(name)}: ${value}`)}`),
    `-d ${quote(JSON.stringify(body, null, 2))}`,
  ]
  return `${lines.join(' \\\n  ')}\n`
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

/** A shell takes everything between single quotes as it is, but for the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function title(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
