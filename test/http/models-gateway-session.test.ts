import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeModel as model, type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'

/* What keeps a conversation on one node reaches the cluster on every protocol. */

let scene: ResponsesScene
beforeAll(async () => {
  scene = await startResponsesScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const long = 'Explain in detail why the sky is blue. '.repeat(100)
const chat = (content: string) => ({ messages: [{ role: 'user', content }] })

const protocols: readonly (readonly [string, (prompt: string) => object])[] = [
  ['/v1/chat/completions', chat],
  ['/v1/responses', (input) => ({ input, store: false })],
  ['/v1/messages', (prompt) => ({ ...chat(prompt), max_tokens: 10 })],
  ['/v1/completions', (prompt) => ({ prompt })],
  ['/ollama/api/chat', chat],
  ['/ollama/api/generate', (prompt) => ({ prompt })],
  ['/api/v1/chat', chat],
  ['/api/v1/generate', (prompt) => ({ prompt })],
]

async function sessionAtNode(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await scene.server.post(path, { model, ...body }, { headers })
  expect(response.status).toBe(200)
  await response.text()
  return (await scene.node.stats()).lastWork?.headers['x-session-id']
}

test.each(
  protocols.flatMap(([path, bodyOf]) => [true, false].map((stream) => [path, stream, bodyOf] as const)),
)('%s, streamed: %s', async (path, stream, bodyOf) => {
  expect(await sessionAtNode(path, { ...bodyOf('Why?'), stream })).toBeUndefined()
  const headers = { 'x-session-id': 'talk 7' }
  expect(await sessionAtNode(path, { ...bodyOf('Why?'), stream }, headers)).toBe('talk 7')
  expect(await sessionAtNode(path, { ...bodyOf(long), stream }, headers)).toBe('talk 7')
  // Without a session id, prompts with the same long start share one, whatever follows.
  const first = await sessionAtNode(path, { ...bodyOf(`${long} One?`), stream })
  expect(first).toMatch(/^prefix-/)
  expect(await sessionAtNode(path, { ...bodyOf(`${long} Two?`), stream })).toBe(first)
  expect(await sessionAtNode(path, { ...bodyOf(`Please. ${long}`), stream })).not.toBe(first)
})

test('Prompts with the same start share a session across protocols', async () => {
  const sessions = new Set<unknown>()
  for (const [path, bodyOf] of protocols) sessions.add(await sessionAtNode(path, bodyOf(long)))
  expect([...sessions]).toEqual([expect.stringMatching(/^prefix-/)])
})
