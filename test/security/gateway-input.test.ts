import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendOddities } from '../http/models-gateway-oddities.ts'
import { createPlayer, type Player, saying } from '../http/models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from '../http/models-gateway-server.ts'

const oddName = 'cuckoo\r\nset-cookie: SESS=stolen🎻'

let player: Player
let server: GatewayServer

beforeAll(async () => {
  player = createPlayer({ name: 'ollama', models: ['violin', oddName] })
  server = await startGatewayServer({
    providers: [player],
    environment: { TUTTI_CUSTOM_TIER: '1000000,20,1' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const chat = (body: object, headers: Record<string, string> = {}) =>
  server.post(
    '/v1/chat/completions',
    { model: 'violin', messages: [{ role: 'user', content: 'Why?' }], ...body },
    { headers },
  )

test('A model request has arbitrary values in any field', async () => {
  // Every value reaches every field of each interface; the extended suite sends each to every path.
  const statuses = await sendOddities(server, (nth) => nth % 3)
  expect(statuses).toEqual(new Set([200, 400, 404]))
})

test('A model request is nested too deeply, or has too many values', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const long = `[${Array.from({ length: 2_000_000 }, () => '1').join(',')}]`
  const bodies = [
    ['/api/v1/generate', `{"model":"violin","format":{"a":${deep}}}`],
    ['/api/v1/generate', `{"model":"violin","options":{"a":${deep}}}`],
    ['/api/v1/chat', `{"model":"violin","messages":${deep}}`],
    ['/v1/chat/completions', `{"model":"violin","messages":[{"role":"user","content":${deep}}]}`],
    ['/v1/embeddings', `{"model":"violin","input":${deep}}`],
    ['/api/v1/generate', `{"model":"violin","format":{"enum":${long}}}`],
    ['/api/v1/generate', `{"model":"violin","context":${long}}`],
    ['/v1/completions', `{"model":"violin","prompt":${long}}`],
    [
      '/v1/chat/completions',
      `{"model":"violin","messages":[{"role":"user","content":"a"}],"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"enum":${long}}}}}`,
    ],
  ] as const
  const before = process.cpuUsage()
  for (const [path, body] of bodies) {
    const answer = await server.post(path, body)
    expect(answer.status, `${path} ${body.slice(0, 60)}`).toBe(400)
    await answer.text()
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(8000)
})

test('A model request is not JSON', async () => {
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', 'model=violin&prompt=a&stream=false'],
    ['application/x-www-form-urlencoded', `__proto__[x]=1&${'a=1&'.repeat(5000)}`],
    ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
    ['text/plain', '{"model":"violin"}'],
    ['application/json; charset=utf-16', '{"model":"violin"}'],
    ['application/json', '\ufeff{"model":"violin","prompt":"a","stream":false}'],
    ['application/json', '{"model":"violin","model":"viola"}'],
    ['application/json', '{"__proto__":{"model":"violin"}}'],
    ['application/json', '\u0000'],
  ] as const) {
    const answer = await server.post('/api/v1/generate', body, { headers: { 'content-type': type } })
    expect([200, 400, 404, 415], `${type} ${body.slice(0, 60)}`).toContain(answer.status)
    await answer.text()
  }
})

test('A model request has invalid headers', async () => {
  for (const headers of [
    { 'x-model-fallback': 'any,none' },
    { 'x-model-fallback': `${'a,'.repeat(4000)}b` },
    { 'x-model-fallback': 'x'.repeat(4000) },
    { 'x-model-fallback': ' '.repeat(8000) },
    { 'x-model-fallback': '\u00ff\u00fe' },
    { 'cache-control': ' '.repeat(8000) },
    { 'cache-control': ','.repeat(8000) },
    { 'x-tutti-gateway': 'x'.repeat(8000) },
  ] as Record<string, string>[]) {
    const answer = await chat({}, headers)
    expect([200, 400], JSON.stringify(headers).slice(0, 80)).toContain(answer.status)
    await answer.text()
  }
})

test('The name of a model injects a header', async () => {
  const answer = await server.get('/v1/models')
  expect(await answer.text()).toContain('cuckoo')
  for (const stream of [true, false]) {
    const asked = await chat({ model: oddName, stream })
    expect(asked.status).toBe(200)
    expect(asked.headers.get('set-cookie')).toBeNull()
    expect(asked.headers.get('x-model-used')).toBe('cuckoo%0D%0Aset-cookie: SESS=stolen%F0%9F%8E%BB')
    await asked.text()
  }
})

test('A model injects events and lines into a stream', async () => {
  const forged = 'a\n\ndata: [DONE]\n\n\r\n{"done":true}\n\u2028: '
  player.script(saying(forged), saying(forged))
  const events = (await (await chat({ stream: true })).text()).split('\n\n').filter((event) => event !== '')
  const deltas = events
    .slice(0, -1)
    .map((event) => JSON.parse(event.slice(6)) as { choices: [{ delta: { content?: string } }] })
  expect(deltas.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(forged)
  const lines = (await (await server.post('/api/v1/generate', { model: 'violin', prompt: 'Why?' })).text())
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { response: string }).response)).toEqual([forged, ''])
})
