import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoopTurns } from './loop-turns.ts'

/** Work of several steps, each longer than a turn. */
function* workOf(name: string, steps: number, log: string[]): Generator<undefined, string> {
  for (let step = 0; step < steps; step += 1) {
    const untilMs = performance.now() + 1.5
    while (performance.now() < untilMs);
    log.push(name)
    yield
  }
  return name
}

test('owners take turns, and the work of one is done in its order', async () => {
  const turns = createLoopTurns()
  const log: string[] = []
  const results = await Promise.all([
    turns.run('ada', workOf('ada 1', 2, log)),
    turns.run('ada', workOf('ada 2', 2, log)),
    turns.run('grace', workOf('grace', 2, log)),
  ])
  expect(results).toEqual(['ada 1', 'ada 2', 'grace'])
  expect(log.slice(0, 4)).toEqual(['ada 1', 'grace', 'ada 1', 'grace'])
  expect(log.slice(4)).toEqual(['ada 2', 'ada 2'])
})

test('the event loop continues after each turn', async () => {
  const turns = createLoopTurns()
  const log: string[] = []
  const running = Promise.all(
    ['ada', 'grace', 'linus'].map((owner) => turns.run(owner, workOf(owner, 3, log))),
  )
  const stepsOfTurns: number[] = []
  for (let seen = 0; seen < 9; seen = log.length) {
    await nextTurn()
    stepsOfTurns.push(log.length - seen)
  }
  await running
  expect(Math.max(...stepsOfTurns)).toBe(1)
})

test('short steps share a turn', async () => {
  const log: string[] = []
  function* short(): Generator<undefined, void> {
    for (let step = 0; step < 5; step += 1) {
      log.push('step')
      yield
    }
  }
  const running = createLoopTurns().run('ada', short())
  await nextTurn()
  await nextTurn()
  expect(log.length).toBeGreaterThan(1)
  await running
})

function* failing(): Generator<undefined, never> {
  yield
  throw new TypeError('broken')
}

test('an error ends the work of which it is, and no other', async () => {
  const turns = createLoopTurns()
  const log: string[] = []
  const [failed, done] = await Promise.allSettled([
    turns.run('ada', failing()),
    turns.run('ada', workOf('ada', 1, log)),
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'broken' } })
  expect(done).toMatchObject({ status: 'fulfilled', value: 'ada' })
  expect(await turns.run('ada', workOf('later', 1, log))).toBe('later')
})
