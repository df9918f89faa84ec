import { describe, expect, test } from 'vitest'
import { createSuspects } from './probation.ts'

/** The marks of a worker, as a list of what happened to them. */
function createScene(crashes = 0) {
  const happened: string[] = []
  const suspects = createSuspects({
    async begin({ key }) {
      happened.push(`begin ${key}`)
      return crashes
    },
    async pause({ key }) {
      happened.push(`pause ${key}`)
    },
    async forget({ key }) {
      happened.push(`forget ${key}`)
    },
  })
  const begin = (key: string, signal = new AbortController().signal) =>
    suspects.begin({ key, workerId: 'ada', signal })
  return { happened, begin }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('a suspect', () => {
  test('is marked while it computes, and not while its steps wait', async () => {
    const { happened, begin } = createScene(1)
    const suspect = await begin('one')
    expect(suspect.crashes).toBe(1)
    await suspect.compute()
    await suspect.rest()
    await suspect.rest()
    await suspect.compute()
    await suspect.leave({ isOver: false })
    expect(happened).toEqual(['begin one', 'pause one', 'begin one', 'pause one'])
  })

  test('that was paused when it lost its lease leaves no mark', async () => {
    const { happened, begin } = createScene()
    const suspect = await begin('one')
    await suspect.rest()
    await suspect.leave({ isOver: false })
    expect(happened).toEqual(['begin one', 'pause one'])
  })

  test('is trusted once an outcome is committed and nothing is computed any more', async () => {
    const { happened, begin } = createScene()
    const suspect = await begin('one')
    await suspect.advanced()
    expect(happened).toEqual(['begin one'])
    await suspect.rest()
    await suspect.compute()
    await suspect.rest()
    await suspect.leave({ isOver: true })
    expect(happened).toEqual(['begin one', 'forget one'])
  })

  test('that ends is forgotten', async () => {
    const { happened, begin } = createScene()
    const suspect = await begin('one')
    await suspect.leave({ isOver: true })
    expect(happened).toEqual(['begin one', 'forget one'])
  })

  test('computes alone: others wait for their turn, in their order', async () => {
    const { happened, begin } = createScene()
    const one = await begin('one')
    const two = begin('two')
    const three = begin('three')
    await soon()
    expect(happened).toEqual(['begin one'])
    await one.rest()
    const again = one.compute()
    await (await two).rest()
    await (await three).leave({ isOver: true })
    await again
    expect(happened).toEqual([
      'begin one',
      'pause one',
      'begin two',
      'pause two',
      'begin three',
      'forget three',
      'begin one',
    ])
  })

  test('that loses its lease while it waits for its turn does not hold up the next one', async () => {
    const { happened, begin } = createScene()
    const one = await begin('one')
    const lease = new AbortController()
    const two = begin('two', lease.signal)
    const three = begin('three')
    lease.abort(new Error('the lease was lost'))
    await expect(two).rejects.toThrow('the lease was lost')
    await one.leave({ isOver: true })
    await three
    expect(happened).toEqual(['begin one', 'forget one', 'begin three'])
  })
})
