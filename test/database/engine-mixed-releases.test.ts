import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openEngineScene } from './engine-setting.ts'

const author = { by: { accountId: null, username: null } }
const step = { id: 'only', type: 'ai_prompt', prompt: 'x' }
const waiting = { id: 'only', type: 'wait', duration: '1d' }

const flow = (steps: readonly object[], more: object = {}) => ({
  definition: { id: `flow_${randomUUID()}`, label: 'A test', steps, ...more },
})

test('while an older worker is alive, flows that it cannot run are not saved', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess()
  const looping = { id: 'all', type: 'for_each', items: 'content', steps: [waiting] }
  const limited = { global_configuration: { flow_control: { concurrency: { limit: 1 } } } }
  await engine.flows.create(flow([waiting]), author)

  const addWorker = async (features: readonly string[] | null) => {
    const id = randomUUID()
    // Its heartbeat stays recent for the whole test.
    await scene.database.query(
      `
        insert into kernel_workers (id, name, role, queues, features, heartbeat_at)
        values ($1, 'other', 'worker', '{executions}', $2, now() + interval '1 hour')
      `,
      [id, features],
    )
    return id
  }
  const old = await addWorker(null)
  const { flow: saved } = await engine.flows.create(flow([step]), author)
  for (const [given, features] of [
    [flow([waiting]), ['step:wait']],
    [flow([looping]), ['step:for_each', 'step:wait']],
    [flow([step], limited), ['flow_control']],
  ] as const) {
    await expect(engine.flows.create(given, author)).rejects.toMatchObject({
      code: 'platform_updating',
      status: 409,
      details: { features },
    })
    await expect(engine.flows.keepDraft(given, randomUUID())).rejects.toMatchObject({
      code: 'platform_updating',
    })
  }
  const changed = { definition: { ...flow([waiting]).definition, id: saved.flowId } }
  await expect(engine.flows.change(saved.flowId, changed, author)).rejects.toMatchObject({
    code: 'platform_updating',
  })

  // A worker of a release between both knows some of it.
  await scene.database.query('delete from kernel_workers where id = $1', [old])
  const newer = await addWorker(['step:ai_prompt', 'step:wait'])
  await engine.flows.change(saved.flowId, changed, author)
  await expect(engine.flows.create(flow([looping]), author)).rejects.toMatchObject({
    details: { features: ['step:for_each'] },
  })

  // A worker that is dead, or serves no executions, does not count.
  await scene.database.query(
    `update kernel_workers set heartbeat_at = now() - interval '1 minute' where id = $1`,
    [newer],
  )
  await engine.flows.create(flow([looping]), author)
})
