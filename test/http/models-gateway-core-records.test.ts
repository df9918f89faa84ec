import { describe, expect, test } from 'vitest'
import { retryWhenUnavailable } from '#kernel/database'
import { settleLostReservations } from '../../src/models/budgets/lost-reservations.ts'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { compareDays } from '../database/models-accounting-database.ts'
import { end, miniPrice, openGatewayScene, provide, read, say, text } from './models-gateway-core-scene.ts'

function some<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

describe('the record of a call', () => {
  test('that cannot be written delays no caller, and its cost is counted later', async () => {
    const provider = provide('openai', 'gpt-4o-mini', { stream: () => say(text('Hi'), end(5, 2)) })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    const answer = await scene.gateway.chat(scene.chatRequest({ call: { maxTokens: 100 } }))
    await scene.usage[Symbol.asyncDispose]()
    expect(await read(answer.parts)).toBe('Hi')
    expect(await answer.cost).toMatchObject({ microDollars: 2 })
    expect(await scene.metrics.render()).toContain('tutti_models_unrecorded_total 1')
    expect(await settleLostReservations(scene.database, new Date(Date.now() + 3_600_000))).toBe(1)
    expect(await scene.spent()).toEqual({ spent: 64, reserved: 0 })
    expect(await scene.calls()).toMatchObject([{ id: answer.callId, outcome: 'lost', microDollars: 64 }])
  })

  test('is written once when the database connections break meanwhile', async () => {
    const provider = provide('openai', 'gpt-4o-mini', { stream: () => say(text('Hi'), end(5, 2)) })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => scene.gateway.chat(scene.chatRequest({ call: { maxTokens: 9 } }))),
    )
    const finishing = answers.map(async ({ parts, cost }) => {
      await read(parts)
      return cost
    })
    await scene.database.withSession((session) =>
      session.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
      `),
    )
    await Promise.all(finishing)
    // Idle connections may not have noticed yet that they are dead.
    expect(await retryWhenUnavailable(() => scene.spent())).toEqual({ spent: 40 * 2, reserved: 0 })
    expect(await retryWhenUnavailable(() => scene.calls())).toHaveLength(40)
    const { kept, counted } = await retryWhenUnavailable(() => compareDays(scene.database))
    expect(kept).toEqual(counted)
  })

  test('stores any requested name', async () => {
    const name = `gem\0ma\ud800 ${'x'.repeat(400)}`
    const provider = provide('ollama', name, { stream: () => say(text('Hi'), end(5, 2)) })
    await using scene = await openGatewayScene({ providers: [provider], prices: { ollama: miniPrice } })
    const answer = await scene.gateway.chat(scene.chatRequest({ call: { model: name } }))
    await read(answer.parts)
    await answer.cost
    const [call] = await scene.calls()
    expect(call?.model).toBe(`gemma\ufffd ${'x'.repeat(192)}`)
    expect(call?.requestedModel).toBe(call?.model)
  })

  test('adds up for every kind of end', async () => {
    const broken = new ProviderFailure({ kind: 'unavailable', message: 'It is gone.' })
    const slow = new ProviderFailure({ kind: 'timeout', message: 'It took too long.' })
    const endings = [
      () => say(text('Hi'), end(7, 3)),
      () => say(text('Hi'), end(null, null)),
      () => say(text('Hi'), broken),
      () => say(broken),
      () => say(slow),
      () => say(new TypeError('a mistake')),
      () => say(),
    ]
    const first = provide('openai', 'gpt-4o-mini', { stream: () => some(endings)() })
    const second = provide('anthropic', 'claude', { stream: () => some(endings)() })
    await using scene = await openGatewayScene({
      providers: [first, second],
      prices: { openai: miniPrice, anthropic: miniPrice },
    })
    const one = async () => {
      const abort = new AbortController()
      const fallback = some(['none', ['claude']] as const)
      const request = scene.chatRequest({ signal: abort.signal, fallback, call: { maxTokens: 50 } })
      try {
        if (Math.random() < 0.1) setImmediate(() => abort.abort(new Error('gone')))
        const answer = await scene.gateway.chat(request)
        if (Math.random() < 0.2) abort.abort(new Error('gone'))
        await read(answer.parts).catch(() => {})
        await answer.cost
      } catch {
        // Other tests check each failure; this one checks their sum.
      }
    }
    await Promise.all(Array.from({ length: 150 }, one))
    await expect.poll(async () => (await scene.spent()).reserved).toBe(0)
    const { kept, counted } = await compareDays(scene.database)
    expect(kept).toEqual(counted)
    const calls = await scene.calls()
    const sum = calls.reduce((total, { microDollars }) => total + (microDollars ?? 0), 0)
    expect(await scene.spent()).toEqual({ spent: sum, reserved: 0 })
    expect(new Set(calls.map(({ outcome }) => outcome))).toEqual(new Set(['answered', 'failed', 'cancelled']))
  })
})
