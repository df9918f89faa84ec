import { expect, test } from 'vitest'
import { shareRuns } from './history.ts'

test('callers during a run share the next run, and none gets a run that started earlier', async () => {
  const gates: PromiseWithResolvers<number>[] = []
  const share = shareRuns(() => {
    const gate = Promise.withResolvers<number>()
    gates.push(gate)
    return gate.promise
  })
  const first = share()
  await Promise.resolve()
  expect(gates).toHaveLength(1)
  const [second, third] = [share(), share()]
  await Promise.resolve()
  expect(gates).toHaveLength(1)
  gates[0]?.resolve(1)
  expect(await first).toBe(1)
  await expect.poll(() => gates.length).toBe(2)
  const fourth = share()
  gates[1]?.reject(new Error('lost'))
  await expect(second).rejects.toThrow('lost')
  await expect(third).rejects.toThrow('lost')
  await expect.poll(() => gates.length).toBe(3)
  gates[2]?.resolve(3)
  expect(await fourth).toBe(3)
})
