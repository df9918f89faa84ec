import { expect, test } from 'vitest'
import { openAgentsScene, plain, says } from './orchestra-agents-scene.ts'

const price = { base_cost: 0.001, per_token: 0.0000005, bulk_discount: 0.25, enterprise_rate: 0.5 }
const priced = { pricing: price, ai_options: { max_tokens: 100 } }
// gpt-4o-mini: 100 × 0.15 + 50 × 0.60 = 45 millionths.
const model = 45

test('a result costs the fee of the agent and the model, to the micro-dollar', async () => {
  await using scene = await openAgentsScene()
  await scene.make(priced)
  scene.openai.script(says('Fine.'))
  // 1000 + 150 × 0.5
  const result = await scene.run({})
  expect(result.details['agent_cost']).toBe(0.001075)
  expect(result.usage.microDollars).toBe(1075 + model)
  expect(await scene.spent()).toMatchObject({ spent: 1075 + model, reserved: 0 })

  scene.openai.script(says('Fine.'))
  // 1075 × 0.75, rounded up
  expect((await scene.run({}, { items: 2 })).details['agent_cost']).toBe(0.000807)
  scene.setTier('enterprise')
  scene.openai.script(says('Fine.'))
  // 1075 × 0.5
  expect((await scene.run({})).details['agent_cost']).toBe(0.000538)
  expect(await scene.spent()).toMatchObject({ spent: 1075 + 807 + 538 + 3 * model, reserved: 0 })
})

test('undone work is not paid for, and its reservations are released', async () => {
  await using scene = await openAgentsScene()
  await scene.make({ ...priced, checks: [{ check: 'min_length', least: 1000 }] })
  scene.openai.script(says('Too short.'))
  const failure = await scene.fail({})
  expect(failure).toMatchObject({ code: 'VALIDATION_FAILED', usage: { microDollars: model } })
  scene.openai.script({ status: 503 })
  await scene.fail({})
  expect(await scene.spent()).toMatchObject({ spent: model, reserved: 0 })
})

test('the maximum cost is reserved before a model is called', async () => {
  await using scene = await openAgentsScene({ microDollarsPerDay: 1000 })
  await scene.make(priced)
  expect(await scene.fail({})).toMatchObject({ code: 'INSUFFICIENT_CREDITS', details: { limit: 1000 } })
  expect(scene.openai.requests.filter(({ method }) => method === 'POST')).toEqual([])
  expect(await scene.spent()).toMatchObject({ spent: 0, reserved: 0 })
})

test('a computed result is paid for by its fee alone', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const { prompt: _, ...unasked } = plain
  await scene.agents.create(
    { ...unasked, analysis_output: 'Read.', pricing: { ...price, per_token: 0 } },
    { by: null },
  )
  expect((await scene.run({})).usage).toMatchObject({ microDollars: 1000, aiCalls: 0 })
  expect(await scene.spent()).toMatchObject({ spent: 1000, reserved: 0 })
})
