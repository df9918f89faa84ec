import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelPrice } from '../../src/models/prices/price.ts'
import { addAccount } from '../support/accounts.ts'
import { eventually } from '../support/eventually.ts'
import { createPlayer, type Player, saying } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

const dollar = 1_000_000
/** A dollar for each token. */
const gold: ModelPrice = {
  source: 'override',
  prices: { input: dollar * dollar, cachedInput: dollar * dollar, output: dollar * dollar },
  version: '1',
}
const owner = { username: 'olga', password: 'correct horse battery' }
const asOwner = { authorization: `Basic ${btoa(`${owner.username}:${owner.password}`)}` }

interface Period {
  readonly limit_micro_dollars: number | null
  readonly spent_micro_dollars: number
  readonly reserved_micro_dollars: number
  readonly left_micro_dollars: number | null
}
interface Budget {
  readonly spent_micro_dollars: number
  readonly resets_at: string
  readonly month_resets_at: string
  readonly keys: readonly ({ id: string; name: string } & Record<'day' | 'month' | 'total', Period>)[]
}

let player: Player
let server: GatewayServer

beforeAll(async () => {
  player = createPlayer({ models: ['violin'] })
  server = await startGatewayServer({
    providers: [player],
    prices: { violin: gold },
    environment: { TUTTI_CUSTOM_TIER: '1000000,20,1000000' },
  })
  const id = await addAccount(server.database, owner)
  await server.database.query("update identity_users set tier = 'custom' where id = $1", [id])
})
afterAll(() => server[Symbol.asyncDispose]())

async function create(name: string, limits?: object): Promise<{ id: string; key: string }> {
  const made = await server.post('/api/v1/api-keys', { name, limits }, { headers: asOwner })
  expect(made.status).toBe(201)
  return (await made.json()) as { id: string; key: string }
}

async function budgetOf(headers: Readonly<Record<string, string>>): Promise<Budget> {
  const response = await server.get('/api/v1/usage/budget', { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Budget
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const chat = (key: string) =>
  server.post(
    '/v1/chat/completions',
    { model: 'violin', messages: [{ role: 'user', content: 'Why?' }], max_tokens: 100 },
    { key },
  )

describe('the budgets of API keys', () => {
  test('are those of the calling key, or of all keys with a budget for a signed-in user', async () => {
    const day = await create('a script', {
      micro_dollars_per_day: 5000 * dollar,
      micro_dollars_total: 9000 * dollar,
    })
    const free = await create('unlimited')
    const month = await create('a service', { micro_dollars_per_month: 7000 * dollar })
    const rates = await create('slow', { requests_per_minute: 5 })

    const own = await budgetOf(asOwner)
    expect(own.keys.map(({ id, name }) => [id, name])).toEqual([
      [day.id, 'a script'],
      [month.id, 'a service'],
    ])
    expect(own.keys[0]).toMatchObject({
      day: { limit_micro_dollars: 5000 * dollar, spent_micro_dollars: 0, left_micro_dollars: 5000 * dollar },
      month: { limit_micro_dollars: null, left_micro_dollars: null },
      total: { limit_micro_dollars: 9000 * dollar },
    })
    for (const { id, key } of [day, free, month, rates]) {
      expect((await budgetOf(bearer(key))).keys.map((one) => one.id)).toEqual([id])
    }
    const stranger = await server.addKey()
    expect((await budgetOf(bearer(stranger.key))).keys).toMatchObject([
      { day: { limit_micro_dollars: null } },
    ])
    expect(Date.parse(own.month_resets_at)).toBeGreaterThanOrEqual(Date.parse(own.resets_at))
  })

  test('show what is reserved and then spent, of the key as of the account', async () => {
    const { id, key } = await create('spender', { micro_dollars_per_day: 5000 * dollar })
    const before = await budgetOf(bearer(key))
    const go = Promise.withResolvers<void>()
    player.script(async function* (call, signal) {
      await go.promise
      yield* saying('Blue.')(call, signal)
    })
    const answered = chat(key)
    await eventually(async () => ((await budgetOf(bearer(key))).keys[0]?.day.reserved_micro_dollars ?? 0) > 0)
    const [during] = (await budgetOf(bearer(key))).keys
    const { day } = during ?? {}
    expect(day?.left_micro_dollars).toBe(5000 * dollar - (day?.reserved_micro_dollars ?? 0))
    go.resolve()
    expect((await answered).status).toBe(200)
    await eventually(async () => ((await budgetOf(bearer(key))).keys[0]?.day.spent_micro_dollars ?? 0) > 0)
    const after = await budgetOf(asOwner)
    const spent = after.spent_micro_dollars - before.spent_micro_dollars
    const shown = after.keys.find((one) => one.id === id)
    for (const period of ['day', 'month', 'total'] as const) {
      expect(shown?.[period]).toMatchObject({ spent_micro_dollars: spent, reserved_micro_dollars: 0 })
    }
    expect(shown?.day.left_micro_dollars).toBe(5000 * dollar - spent)
  })

  test('are not shown for a key that is revoked', async () => {
    const { id } = await create('old', { micro_dollars_total: 1 })
    expect((await budgetOf(asOwner)).keys.map((one) => one.id)).toContain(id)
    const revoked = await fetch(`${server.url}/api/v1/api-keys/${id}`, { method: 'DELETE', headers: asOwner })
    expect(revoked.status).toBe(204)
    expect((await budgetOf(asOwner)).keys.map((one) => one.id)).not.toContain(id)
  })
})
