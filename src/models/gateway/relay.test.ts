import { describe, expect, test } from 'vitest'
import type { ModelPart } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { type RelayEnd, relayResponse } from './relay.ts'

const text = (words: string): ModelPart => ({ type: 'text', text: words })
const end: ModelPart = {
  type: 'end',
  finish: 'stop',
  usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
}
const broken = new ProviderFailure({ kind: 'unavailable', message: 'It is gone.' })
const reason = new Error('the caller disconnected')

type Move = ModelPart | Error | 'wait'

/** A provider that makes its moves one by one and records its release. With `wait` it reacts to its signal only. */
function play(moves: readonly Move[]) {
  const abort = new AbortController()
  const ends: RelayEnd[] = []
  const seen: ModelPart[] = []
  let release = false
  async function* source(): AsyncGenerator<ModelPart, void, void> {
    try {
      for (const move of moves) {
        if (move instanceof Error) throw move
        if (move !== 'wait') yield move
        else
          await new Promise((_resolve, reject) =>
            abort.signal.addEventListener('abort', () => reject(abort.signal.reason)),
          )
      }
    } finally {
      release = true
    }
  }
  const relay = relayResponse({
    source: source(),
    signal: abort.signal,
    onPart: (part) => void seen.push(part),
    onEnd(told) {
      ends.push(told)
      return told.outcome === 'failed' ? new Error('what the consumer sees') : undefined
    },
  })
  relay.begun.catch(() => {})
  return { relay, abort, ends, seen, release: () => release }
}

async function collect(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const collected: ModelPart[] = []
  for await (const part of parts) collected.push(part)
  return collected
}

describe('a relayed response', () => {
  test('arrives unchanged and ends once', async () => {
    const { relay, ends, seen, release } = play([text('Hi'), text('!'), end])
    await relay.begun
    expect(ends).toEqual([])
    expect(await collect(relay.parts)).toEqual([text('Hi'), text('!'), end])
    expect(seen).toEqual([text('Hi'), text('!'), end])
    expect(ends).toEqual([{ outcome: 'answered', end }])
    expect(release()).toBe(true)
    expect(await collect(relay.parts)).toEqual([])
  })

  test('ends when its last part arrives, even if the consumer has not read it', async () => {
    const { relay, abort, ends } = play([end])
    await relay.begun
    expect(ends).toEqual([{ outcome: 'answered', end }])
    abort.abort(reason)
    expect(await collect(relay.parts)).toEqual([end])
    expect(ends).toHaveLength(1)
  })

  test('is requested from the provider only as fast as it is read', async () => {
    const { relay, seen } = play([text('1'), text('2'), text('3'), end])
    await relay.begun
    const reading = relay.parts[Symbol.asyncIterator]()
    await reading.next()
    await new Promise(setImmediate)
    expect(seen).toEqual([text('1')])
  })

  test('that fails before its first part only rejects begun', async () => {
    const { relay, ends } = play([broken])
    await expect(relay.begun).rejects.toBe(broken)
    expect(ends).toEqual([])
  })

  test('that is cut off is reported once, and the consumer gets the explained failure', async () => {
    const { relay, ends } = play([text('Hi'), broken])
    await expect(collect(relay.parts)).rejects.toThrow('what the consumer sees')
    expect(ends).toEqual([{ outcome: 'failed', thrown: broken }])
  })

  test('that stops without an end counts as failed', async () => {
    const { relay, ends } = play([text('Hi')])
    await expect(collect(relay.parts)).rejects.toThrow('what the consumer sees')
    expect(ends).toMatchObject([{ outcome: 'failed', thrown: { kind: 'malformed' } }])
    const silent = play([])
    await expect(silent.relay.begun).rejects.toMatchObject({ kind: 'malformed' })
  })
})

describe('a response whose caller left', () => {
  test('is cancelled before its first part', async () => {
    const { relay, abort, ends, release } = play(['wait', text('Hi')])
    abort.abort(reason)
    await expect(relay.begun).rejects.toBe(reason)
    expect(ends).toEqual([{ outcome: 'cancelled' }])
    await expect.poll(release).toBe(true)
  })

  test('is cancelled even if it is not being read', async () => {
    const { relay, abort, ends, release } = play([text('Hi'), text('!'), end])
    await relay.begun
    abort.abort(reason)
    expect(ends).toEqual([{ outcome: 'cancelled' }])
    await expect.poll(release).toBe(true)
    const reading = relay.parts[Symbol.asyncIterator]()
    expect(await reading.next()).toEqual({ done: false, value: text('Hi') })
    await expect(reading.next()).rejects.toBe(reason)
  })

  test('is cancelled while it waits for the next part', async () => {
    const { relay, abort, ends } = play([text('Hi'), 'wait'])
    const reading = collect(relay.parts)
    await relay.begun
    await new Promise(setImmediate)
    abort.abort(reason)
    await expect(reading).rejects.toBe(reason)
    expect(ends).toEqual([{ outcome: 'cancelled' }])
  })

  test('is cancelled when its consumer leaves the loop or throws in it', async () => {
    for (const leave of ['break', 'throw'] as const) {
      const { relay, ends, release } = play([text('Hi'), text('!'), end])
      const read = async () => {
        for await (const part of relay.parts) {
          if (part.type === 'end') continue
          if (leave === 'break') break
          throw new Error('a mistake of the consumer')
        }
      }
      if (leave === 'break') await read()
      else await expect(read()).rejects.toThrow('a mistake of the consumer')
      expect(ends).toEqual([{ outcome: 'cancelled' }])
      await expect.poll(release).toBe(true)
    }
  })

  test('is cancelled when its consumer leaves before it began to read, or in the middle of a read', async () => {
    const before = play([text('Hi'), text('!'), end])
    await before.relay.begun
    await before.relay.parts[Symbol.asyncIterator]().return?.()
    expect(before.ends).toEqual([{ outcome: 'cancelled' }])

    const within = play([text('Hi'), 'wait'])
    const reading = within.relay.parts[Symbol.asyncIterator]()
    await reading.next()
    const next = reading.next()
    const left = reading.return?.()
    expect(within.ends).toEqual([{ outcome: 'cancelled' }])
    within.abort.abort(reason)
    await expect(next).rejects.toBe(reason)
    await left
    expect(within.ends).toHaveLength(1)
  })
})
