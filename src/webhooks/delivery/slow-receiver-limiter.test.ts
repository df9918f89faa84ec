import { expect, test } from 'vitest'
import { createSlowReceiverLimiter, type Permit } from './slow-receiver-limiter.ts'

function openLimiter() {
  let nowMs = 0
  const limiter = createSlowReceiverLimiter({ slots: 50, now: () => nowMs })
  return {
    pass(ms: number) {
      nowMs += ms
    },
    enter: (accountId: string, url: string) => limiter.enter({ accountId, url }),
    /** Enters all attempts and returns the permits of the admitted ones. */
    fill(accountId: string, urls: readonly string[]): Permit[] {
      return urls.flatMap((url) => {
        const entered = limiter.enter({ accountId, url })
        return 'leave' in entered ? [entered] : []
      })
    },
  }
}

const hooks = (count: number) =>
  Array.from({ length: count }, (_, index) => `http://one.example/hook/${index}`)

test('an unknown receiver gets four slots, however many webhooks name it, until it has responded quickly', () => {
  const limiter = openLimiter()
  const first = limiter.fill('a', hooks(60))
  expect(first).toHaveLength(4)
  expect(limiter.enter('a', 'http://one.example/x')).toEqual({ retryInMs: expect.any(Number) })
  limiter.pass(100)
  first[0]?.leave()
  expect(limiter.fill('a', hooks(60))).toHaveLength(37)
})

test('a receiver that was slow, or has not responded for long, gets four slots until it is quick again', () => {
  const limiter = openLimiter()
  for (const { leave } of limiter.fill('a', hooks(1))) leave()
  const quick = limiter.fill('a', hooks(10))
  expect(quick).toHaveLength(10)
  limiter.pass(2500)
  expect(limiter.enter('a', 'http://one.example/')).toEqual({
    retryInMs: expect.toSatisfy((ms) => ms >= 5000),
  })
  for (const { leave } of quick) leave()
  const slow = limiter.fill('a', hooks(10))
  expect(slow).toHaveLength(4)
  slow[0]?.leave()
  expect(limiter.fill('a', hooks(10))).toHaveLength(10)
})

test('an account gets a quarter of the slots for receivers that never respond, and never all of them', () => {
  const limiter = openLimiter()
  const many = Array.from({ length: 60 }, (_, index) => `http://${index}.example/`)
  expect(limiter.fill('a', many)).toHaveLength(12)
  expect(limiter.fill('b', ['http://0.example/'])).toHaveLength(1)
  for (const { leave } of limiter.fill('c', hooks(1))) leave()
  expect(limiter.fill('c', hooks(60))).toHaveLength(40)
})
