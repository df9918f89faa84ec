import { expect } from 'vitest'
import type { GatewayServer } from './models-gateway-server.ts'

/** A value of every kind that JSON has, and some that no sane program sends. */
const oddities: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '1e400',
  '-1e400',
  '9007199254740993',
  '1.5',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  '"__proto__"',
  '"../../etc/passwd"',
  '"violin"',
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '{}',
  '{"type":null}',
  '{"type":"json_schema","json_schema":{}}',
  '{"$ref":"http://127.0.0.1/"}',
  '{"constructor":{"prototype":{"x":1}}}',
  `"${'x'.repeat(70_000)}"`,
]

const words = (text: string) => text.split(' ')

/** What the two interfaces know, and what neither does. */
const shared = words('model messages prompt input stream tools dimensions colour constructor toString')
const openaiFields = [
  ...shared,
  ...words('stream_options temperature top_p seed stop max_tokens max_completion_tokens response_format'),
  ...words('metadata user n logit_bias encoding_format suffix'),
]
const ollamaFields = [
  ...shared,
  ...words('system format options keep_alive think raw template suffix images context truncate'),
]

const usual = {
  model: '"violin"',
  messages: '[{"role":"user","content":"a"}]',
  prompt: '"a"',
  input: '"a"',
}
type Usual = keyof typeof usual

/** The paths of the two interfaces, and the fields that they require. */
const interfaces: readonly (readonly [
  fields: readonly string[],
  paths: Readonly<Record<string, readonly Usual[]>>,
])[] = [
  [
    openaiFields,
    {
      '/v1/chat/completions': ['model', 'messages'],
      '/v1/completions': ['model', 'prompt'],
      '/v1/embeddings': ['model', 'input'],
    },
  ],
  [
    ollamaFields,
    {
      '/api/v1/generate': ['model', 'prompt'],
      '/api/v1/chat': ['model', 'messages'],
      '/api/v1/embed': ['model', 'input'],
    },
  ],
]

/**
 * Sends each value in each field and returns the statuses of the responses. `pathOf` selects the path of an interface for the nth request;
 * without it each of the paths gets all values.
 */
export async function sendOddities(
  server: GatewayServer,
  pathOf?: (nth: number) => number,
): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>()

  async function send(
    path: string,
    required: readonly Usual[],
    field: string,
    oddity: string,
  ): Promise<void> {
    const others = required.filter((name) => name !== field)
    const body = [...others.map((name) => [name, usual[name]]), [field, oddity]]
    const text = `{${body.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
    const answer = await server.post(path, text)
    await answer.text()
    statuses.add(answer.status)
    expect(answer.status, `${path} ${text.slice(0, 200)}`).toBeLessThan(500)
  }

  for (const [fields, paths] of interfaces) {
    for (const [at, field] of fields.entries()) {
      const requests = oddities.flatMap((oddity, nth) =>
        Object.entries(paths)
          .filter((_path, index) => pathOf === undefined || pathOf(at + nth) === index)
          .map(([path, required]) => send(path, required, field, oddity)),
      )
      await Promise.all(requests)
    }
  }
  return statuses
}
