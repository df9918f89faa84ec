import { once } from 'node:events'
import { setImmediate as later } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { mergeStreams } from './own-control.ts'

async function* count(name: string, to: number, turns: number): AsyncGenerator<string> {
  for (let number = 1; number <= to; number += 1) {
    for (let turn = 0; turn < turns; turn += 1) await later()
    yield `${name}${number}`
  }
}

/** A source that yields no item until its signal aborts. */
async function* silent(signal: AbortSignal, ended: () => void): AsyncGenerator<string> {
  await once(signal, 'abort')
  ended()
  yield 'too late for anybody'
}

async function* failing(): AsyncGenerator<string> {
  yield 'before'
  throw new Error('broken')
}

describe('merged streams', () => {
  test('yield each item once, in the order of its source, until the first source ends', async () => {
    const items: string[] = []
    for await (const item of mergeStreams([count('a', 3, 1), count('b', 9, 4)])) items.push(item)
    expect(items.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    const others = items.filter((item) => item.startsWith('b'))
    expect(others).toEqual(['b1', 'b2', 'b3'].slice(0, others.length))
  })

  test('are not blocked by an idle source', async () => {
    const stop = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const merged = mergeStreams([silent(stop.signal, resolve), count('a', 9, 0)])
    expect(await merged.next()).toEqual({ done: false, value: 'a1' })
    expect(await merged.next()).toEqual({ done: false, value: 'a2' })
    await merged.return()
    stop.abort()
    await ended
  })

  test('fail when a source fails', async () => {
    const merged = mergeStreams([failing()])
    expect(await merged.next()).toEqual({ done: false, value: 'before' })
    await expect(merged.next()).rejects.toThrow('broken')
  })
})
