import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlatformAccounts } from '#cluster'
import { createLogger } from '#kernel/telemetry'
import { startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type Behaviour, startModelNode } from '../support/model-node.ts'
import {
  type CallersSetting,
  clusterKey,
  makeKey,
  nadia,
  openCallersSetting,
  quick,
} from './cluster-callers-setting.ts'
import { bearer, call } from './identity-calls.ts'
import { addAccount, basic, startIdentityServer } from './identity-server.ts'

let setting: CallersSetting

beforeAll(async () => {
  setting = await openCallersSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

describe('a remote platform', () => {
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  })

  test('is called once for a credential with many concurrent requests', async () => {
    const key = await makeKey(setting.identity, nadia)
    await using accounts = createPlatformAccounts({ url: setting.identity.url, log, keepMs: 60_000 })
    await using service = await startServiceFor([setting.node], { CLUSTER_API_KEY: clusterKey }, accounts)
    const asked = async () => {
      const text = await setting.identity.metrics.render()
      return [...text.matchAll(/http_request_seconds_count\{.*route="\/api\/v1\/user\/profile".*\} (\d+)/g)]
        .map(([, count]) => Number(count))
        .reduce((sum, count) => sum + count, 0)
    }
    const before = await asked()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.post('/api/generate', quick, { headers: bearer(key) })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await service.get('/api/tags', bearer(key))).status).toBe(200)
    await eventually(async () => (await asked()) === before + 1)
  })

  test('that does not respond admits only cached callers, and the log says so once', async () => {
    await using gone = await startIdentityServer()
    await addAccount(gone.database, nadia)
    const { body } = await call<{ key: string }>(gone, 'POST /api/v1/api-keys', {
      as: basic(nadia.username, nadia.password),
      body: { name: 'a test' },
    })
    await using accounts = createPlatformAccounts({ url: gone.url, log, keepMs: 60_000 })
    await using service = await startServiceFor([setting.node], { CLUSTER_API_KEY: clusterKey }, accounts)
    const generate = (key: string) => service.post('/api/generate', quick, { headers: bearer(key) })
    expect((await generate(body.key)).status).toBe(200)
    await gone.app?.close()
    lines.length = 0
    const worked = (await setting.node.stats()).requests['/api/generate']
    for (const key of ['sesame-1', 'sesame-2']) {
      const refused = await generate(key)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('2')
      expect(await refused.json()).toEqual({
        error: 'The platform cannot be asked whose credential this is.',
      })
    }
    expect((await setting.node.stats()).requests['/api/generate']).toBe(worked)
    expect(lines).toMatchObject([expect.stringContaining('"reason":"connection refused"')])
    expect(lines.join('')).not.toContain('sesame')
    expect((await generate(body.key)).status).toBe(200)
    expect((await generate(clusterKey)).status).toBe(200)
    const status = await service.get('/api/cluster/status', bearer('sesame-1'))
    expect(await status.json()).toMatchObject({ error: { code: 'platform_unavailable' } })
  })

  test.each<[string, Behaviour]>([
    ['answers something else', 'rubbish'],
    ['fails', 'error'],
    ['answers without end', 'huge'],
    ['breaks off', 'cut_off'],
  ])('that %s admits no caller', async (_name, behaviour) => {
    await using odd = await startModelNode({ behaviour })
    await using accounts = createPlatformAccounts({ url: odd.url, log })
    await using service = await startServiceFor([setting.node], { CLUSTER_API_KEY: clusterKey }, accounts)
    expect((await service.post('/api/generate', quick, { headers: bearer('sesame') })).status).toBe(503)
    expect((await service.get('/api/tags', bearer('sesame'))).status).toBe(503)
  })
})
