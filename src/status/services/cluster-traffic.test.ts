import { expect, test } from 'vitest'
import { followTraffic, type TrafficReading } from './cluster-traffic.ts'

const reading = (instance: string, requests: number): TrafficReading => ({
  instance,
  requests,
  prompt_tokens: requests * 10,
  completion_tokens: requests * 2,
})
const added = (requests: number) => ({
  requests,
  prompt_tokens: requests * 10,
  completion_tokens: requests * 2,
})

test('each request counts once when readings alternate between processes and continue after a restart', () => {
  let known: readonly TrafficReading[] = []
  let total = 0
  const readings = [
    reading('a', 5),
    reading('b', 1),
    reading('a', 5),
    undefined,
    reading('a', 9),
    reading('c', 2),
  ]
  for (const read of readings) {
    const followed = followTraffic(known, read)
    known = followed.known
    total += followed.added.requests
  }
  expect(total).toBe(9 + 1 + 2)
  expect(known.map(({ instance }) => instance)).toEqual(['b', 'a', 'c'])
})

test('without stored readings, the first one is the starting point', () => {
  const first = followTraffic('not stored', reading('a', 5))
  expect(first.added).toEqual(added(0))
  expect(followTraffic(first.known, reading('a', 7)).added).toEqual(added(2))
  expect(followTraffic('not stored', undefined)).toEqual({ known: [], added: added(0) })
})

test('the last hundred processes are remembered', () => {
  let known: readonly TrafficReading[] = []
  for (let each = 0; each < 150; each += 1) known = followTraffic(known, reading(`p${each}`, 1)).known
  expect([known.length, known[0]?.instance, known.at(-1)?.instance]).toEqual([100, 'p50', 'p149'])
})
