import { expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { openLive } from '../../src/engine/live/live.ts'
import { eventually } from '../support/eventually.ts'
import { answer, openEngineScene, type RunStep } from './engine-setting.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const items = 30

test('live steps are remembered while they run, and then in no process', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([
    { id: 'first', type: 'ai_prompt', prompt: 'a' },
    { id: 'second', type: 'ai_prompt', prompt: 'b', dependencies: ['first'] },
  ])
  const gate = Promise.withResolvers<void>()
  const runStep: RunStep = async (run) => {
    run.onToken('x'.repeat(4000))
    if (run.step.id === 'second' && run.item === items - 1) await gate.promise
    return answer('Done')
  }
  const { engine, worker } = await scene.startProcess({ runStep })
  // As another process receives it.
  await using elsewhere = await openLive({ database: scene.database, log })
  const batch = { items: Array.from({ length: items }, (_, item) => `text ${item}`), size: 5, parallel: true }
  const input = { ...what.input, batch }
  const { id, end } = await engine.executions.start({ ...what, input }, worker)
  const isLast = ({ item, stepId }: { item: number; stepId: string }) =>
    item === items - 1 && stepId === 'second'
  await eventually(() => {
    const heard = elsewhere.stepsOf(id)
    return heard.length === 1 && heard.every(isLast)
  })
  expect((await engine.executions.read(id))?.live).toMatchObject([{ item: items - 1, stepId: 'second' }])
  gate.resolve()
  expect((await end).status).toBe('completed')
  await eventually(() => elsewhere.stepsOf(id).length === 0)
})
