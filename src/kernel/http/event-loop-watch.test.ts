import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchEventLoop } from './event-loop-watch.ts'

const options = { limitMs: 60, windowMs: 40 }

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('a loop that keeps its tasks waiting is late, and no longer so when it has caught up', async () => {
  const watch = watchEventLoop(options)
  for (let round = 0; round < 40 && !watch.isLate(); round += 1) {
    block(150)
    await delay(1)
  }
  expect(watch.isLate()).toBe(true)
  await expect.poll(() => watch.isLate()).toBe(false)
  watch.close()
})

test('one long task alone makes nobody wait for nothing afterwards', async () => {
  const watch = watchEventLoop({ limitMs: 200, windowMs: 100 })
  await delay(250)
  block(700)
  for (let look = 0; look < 30; look += 1) {
    await delay(10)
    expect(watch.isLate()).toBe(false)
  }
  watch.close()
})
