import { describe, expect, test } from 'vitest'
import {
  end,
  miniPrice,
  openGatewayScene,
  provide,
  read,
  readFirst,
  say,
  startOpenAi,
  text,
} from './models-gateway-core-scene.ts'

describe('an unfinished response', () => {
  test('is paid for up to the break', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    openai.server.script({ steps: [{ text: 'Good ' }, { text: 'day' }, 'cut'] })
    const answer = await scene.gateway.chat(scene.chatRequest({ fallback: 'any' }))
    await expect(read(answer.parts)).rejects.toMatchObject({
      code: 'answer_broke_off',
      status: 502,
      details: { provider: 'openai', model: 'gpt-4o-mini' },
    })
    // 5 × 0.15 + 2 × 0.60 = 1.95
    expect(await answer.cost).toMatchObject({ microDollars: 2, inputTokens: 5, outputTokens: 2 })
    expect(await scene.spent()).toEqual({ spent: 2, reserved: 0 })
    expect(await scene.calls()).toMatchObject([
      { outcome: 'failed', failureCode: 'answer_broke_off', estimated: true, attempts: 1 },
    ])
  })

  test('aborts the provider when the caller disconnects', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    openai.server.script({ steps: [{ text: 'Good ' }, 'hang'] }, { steps: [{ text: 'Good ' }, 'hang'] })
    const abort = new AbortController()
    const signalled = await scene.gateway.chat(scene.chatRequest({ signal: abort.signal }))
    const reading = read(signalled.parts)
    abort.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
    expect(await (await openai.server.nextRequest('/chat/completions')).closed).toBe(true)

    const left = await scene.gateway.chat(scene.chatRequest())
    await readFirst(left.parts)
    expect(await (await openai.server.nextRequest('/chat/completions')).closed).toBe(true)

    // 5 × 0.15 + 2 × 0.60 = 1.95
    expect(await signalled.cost).toMatchObject({ microDollars: 2 })
    expect(await left.cost).toMatchObject({ microDollars: 2 })
    expect(await scene.spent()).toEqual({ spent: 4, reserved: 0 })
    expect(await scene.calls()).toMatchObject([
      { outcome: 'cancelled' },
      { outcome: 'cancelled', estimated: true },
    ])
  })

  test('is paid for once when its consumer fails', async () => {
    const provider = provide('openai', 'gpt-4o-mini', {
      stream: () => say(text('Good '), text('day'), end(5, 2)),
    })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    const answer = await scene.gateway.chat(scene.chatRequest())
    const consume = async () => {
      for await (const part of answer.parts) throw new Error(`cannot show ${part.type}`)
    }
    await expect(consume()).rejects.toThrow('cannot show text')
    expect(await answer.cost).toMatchObject({ microDollars: 2 })
    expect(await scene.calls()).toMatchObject([{ outcome: 'cancelled' }])
  })

  test('is settled though it is never read, when its caller disconnects', async () => {
    const provider = provide('openai', 'gpt-4o-mini', {
      stream: () => say(text('Good '), text('day'), end(5, 2)),
    })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    const abort = new AbortController()
    const answer = await scene.gateway.chat(scene.chatRequest({ signal: abort.signal }))
    abort.abort(new Error('gone'))
    expect(await answer.cost).toMatchObject({ microDollars: 2 })
    expect(await scene.spent()).toEqual({ spent: 2, reserved: 0 })
  })

  test('is settled when its caller disconnects before it began, even if the provider ignores the abort', async () => {
    const deaf = provide('openai', 'gpt-4o-mini', {
      async *stream() {
        await new Promise(() => {})
        yield text('never')
      },
    })
    await using scene = await openGatewayScene({ providers: [deaf], prices: { openai: miniPrice } })
    const abort = new AbortController()
    const asking = scene.gateway.chat(scene.chatRequest({ signal: abort.signal }))
    await expect.poll(() => deaf.asked.length).toBe(1)
    abort.abort(new Error('gone'))
    await expect(asking).rejects.toThrow('gone')
    // The input may have been read: 5 × 0.15 = 0.75
    await expect.poll(() => scene.spent()).toEqual({ spent: 1, reserved: 0 })
    expect(await scene.calls()).toMatchObject([{ outcome: 'cancelled', outputTokens: 0, firstTokenMs: null }])
  })

  test('costs nothing when its caller disconnected before a provider was called', async () => {
    const provider = provide('openai', 'gpt-4o-mini', { stream: () => say(end(5, 2)) })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    await expect(
      scene.gateway.chat(scene.chatRequest({ signal: AbortSignal.abort(new Error('gone')) })),
    ).rejects.toThrow('gone')
    const abort = new AbortController()
    const asked = scene.chatRequest({ signal: abort.signal })
    const budget: typeof asked.budget = {
      async reserve(...given) {
        const reservation = await asked.budget.reserve(...given)
        abort.abort(new Error('gone meanwhile'))
        return reservation
      },
    }
    await expect(scene.gateway.chat({ ...asked, budget })).rejects.toThrow('gone meanwhile')
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 0 })
    expect(provider.asked).toEqual([])
    expect(await scene.calls()).toEqual([])
  })
})
