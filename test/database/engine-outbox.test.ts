import { expect, test } from 'vitest'
import { openEngineScene } from './engine-setting.ts'

const steps = [
  { id: 'first', type: 'ai_prompt', prompt: 'a' },
  { id: 'second', type: 'ai_prompt', prompt: 'b', dependencies: ['first'] },
]

test('what happens is handed over once and in its order, to whoever may want to hear of it', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save(steps)
  const heard: string[] = []
  let announced = 0
  const { engine, worker } = await scene.startProcess({
    publishes: async ({ input }) => input.context['loud'] === true,
  })
  engine.outbox.onMore(() => {
    announced += 1
  })
  const run = async (context: object) => {
    const { end } = await engine.executions.start(
      { ...what, input: { ...what.input, context: { ...context } } },
      worker,
    )
    await end
  }
  await run({ loud: true })
  await run({ loud: false })
  expect(announced).toBeGreaterThan(0)
  await expect(
    engine.outbox.handOver(async () => {
      throw new Error('not now')
    }),
  ).rejects.toThrow('not now')
  const taken = await engine.outbox.handOver(async (_transaction, happenings) => {
    for (const { events } of happenings) heard.push(...events.map(({ type }) => type))
  })
  expect(taken).toBeGreaterThan(0)
  expect(heard).toEqual([
    'execution_started',
    'step_started',
    'step_completed',
    'step_started',
    'step_completed',
    'execution_completed',
  ])
  expect(await engine.outbox.handOver(async () => {})).toBe(0)
})
