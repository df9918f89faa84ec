import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { kernelFailure } from '#kernel/errors'
import { bigIntegers } from '../../src/engine/store/binary-arrays.ts'
import { patience } from '../support/patience.ts'
import { answer, openEngineScene, type Run } from './engine-setting.ts'
import { someCall } from './models-accounting.ts'

const patiently = { timeout: 30_000 * patience, interval: 10 }
const step = (id: string) => ({ id, type: 'ai_prompt', prompt: 'Spend.' })

/** The column of a commit that reserves 400. */
const reserved = bigIntegers([400])
const isReserved = (value: unknown) => value instanceof Buffer && reserved?.equals(value) === true

test('a reservation stays, though the database was unavailable for one of two commits', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([step('a'), step('b')])
  let cuts = 0
  const database = {
    ...scene.database,
    async query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
      if (name === 'engine_commit' && cuts < 3 && values?.some(isReserved)) {
        cuts += 1
        throw kernelFailure('database_unavailable')
      }
      return await scene.database.query<Row>(text, values, name)
    },
  }
  const both = Promise.withResolvers<void>()
  let taken = 0
  const { engine, worker } = await scene.startProcess({
    database,
    async runStep({ step: { id }, budget, signal }: Run) {
      if (id === 'b') await vi.waitFor(() => expect(cuts).toBeGreaterThan(0), patiently)
      await budget.reserve(400, someCall())
      taken += 1
      if (taken === 2) both.resolve()
      await delay(60_000, undefined, { signal })
      return answer('never')
    },
  })
  const { id } = await engine.executions.start(what, worker)
  await both.promise
  expect(await scene.read(id)).toMatchObject({ reserved: 800 })
  await worker.stop()
})
