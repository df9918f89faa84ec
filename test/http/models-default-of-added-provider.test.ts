import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth } from '../support/platform.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

const models = ['text-embedding-3-small', 'llama-3.3-70b', 'gemma-3-4b', 'whisper-large-v3']
const builtinUsed = expect.objectContaining({ type: 'builtin_fallback_used' })

let server: OrchestraServer
let remote: OpenAiServer
let flow: string
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  remote = closing.use(await startOpenAiServer({ models }))
  server = closing.use(
    await startOrchestraServer({
      environment: { TUTTI_SECRET: 'a secret of at least thirty-two characters' },
    }),
  )
  flow = await server.save([{ id: 'say', type: 'ai_prompt', prompt: 'Why is the sky blue? {{content}}' }])
})
afterAll(() => closing.disposeAsync())
afterEach(async () => {
  for (const { name, source } of (await call('GET', '')).body.data)
    if (source === 'stored') await call('DELETE', `/${name}`)
})

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/api/v1/providers${path}`, {
    method,
    headers: { ...basicAuth(server), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const add = (fields: object = {}) =>
  call('POST', '', { name: 'groq', kind: 'openai', base_url: remote.baseUrl, ...fields })

async function run() {
  const { body } = await server.post(
    '/ai-workflows/api/execute-flow',
    { flow_id: flow, context: { content: 'A short text.' } },
    { as: 'mara' },
  )
  return body
}

test('a flow that names no model keeps working when a provider without a default model is added', async () => {
  expect((await run()).warnings).toEqual([builtinUsed])
  const { status, body } = await add()
  expect(status).toBe(201)
  // Neither the embedding model nor the one for speech.
  expect(body).toMatchObject({
    default_model: 'gemma-3-4b',
    default_chosen: true,
    auto_model: 'groq/gemma-3-4b',
  })
  expect(await run()).toMatchObject({ success: true, result: 'The sky is blue.', warnings: [] })
})

test('the default in force stays when another provider is added', async () => {
  await add({ default_model: 'llama-3.3-70b' })
  const { body } = await add({ name: 'another' })
  expect(body).toMatchObject({
    default_model: null,
    default_chosen: false,
    auto_model: 'groq/llama-3.3-70b',
  })
})

test('null is no default model: the built-in analysis still answers, and its warning says what to set', async () => {
  const { body } = await add({ default_model: null })
  expect(body).toMatchObject({
    default_model: null,
    default_chosen: false,
    auto_model: 'builtin/builtin:text',
  })
  const { success, warnings } = await run()
  expect([success, warnings]).toEqual([true, [builtinUsed]])
  expect(warnings[0].message).toContain('groq has no default model')
})

test('a provider that cannot be reached changes nothing', async () => {
  const { status, body } = await add({ base_url: 'http://127.0.0.1:9/v1' })
  expect([status, body.default_model]).toEqual([201, null])
  expect(await run()).toMatchObject({ success: true, warnings: [builtinUsed] })
})

test('while the default provider is unreachable, a failure names providers without a default model', async () => {
  await add({ name: 'gone', base_url: 'http://127.0.0.1:9/v1', default_model: 'away' })
  await add()
  const { error } = await run()
  expect(error.code).toBe('PROVIDER_UNAVAILABLE')
  expect(error.message).toContain('groq has no default model')
  expect(error.message).not.toContain('No language model is available')
})
