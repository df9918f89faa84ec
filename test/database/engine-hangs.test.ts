import { expect, test, vi } from 'vitest'
import { openEngineScene } from './engine-setting.ts'
import { patiently } from './work-setting.ts'

test('an execution at which its worker stopped responding twice fails and says why; others only run again', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  const before = await scene.startProcess()
  await before.worker.stop()
  const flow = await scene.save([{ id: 'ask', type: 'ai_prompt', prompt: 'Say something.' }])
  const [twice, once] = await Promise.all([1, 2].map(() => before.engine.executions.enqueue(flow)))
  await database.query('update engine_executions set work_attempts = 2')
  await database.query(
    `insert into kernel_hangs (queue, key, count) values ('executions', $1, 2), ('executions', $2, 1)`,
    [twice?.id, once?.id],
  )
  await scene.startProcess()
  await vi.waitFor(async () => {
    expect(await scene.read(twice?.id ?? '')).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('stopped responding 2 times') },
    })
    expect(await scene.read(once?.id ?? '')).toMatchObject({ status: 'completed' })
  }, patiently)
})
