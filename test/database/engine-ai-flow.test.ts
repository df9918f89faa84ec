import { describe, expect, test } from 'vitest'
import { type AiScene, openAiScene, says } from './engine-ai-scene.ts'
import { type EngineScene, openEngineScene } from './engine-setting.ts'

const prompt = (id: string, more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: `Write ${id}.`,
  ai_options: { model: 'gpt-4o-mini', max_tokens: 100 },
  ...more,
})

/** Starts a flow whose steps call the models of the scene, with the budget of its account. */
async function start(scene: EngineScene, models: AiScene, steps: object[], more: object = {}) {
  const { gateway } = models
  const { engine, worker } = await scene.startProcess({
    runStep: models.runStep,
    accountBudgetOf: async () => gateway.budget.of({ accountId: 'ada', microDollarsPerDay: 1_000_000 }),
  })
  const what = await scene.save(steps, more)
  return { engine, ...(await engine.executions.start(what, worker)) }
}

describe('a flow that calls models', () => {
  test('runs the steps a decision adds, and stores the decision', async () => {
    await using models = await openAiScene()
    await using scene = await openEngineScene()
    models.openai.script(
      says('A weak text.'),
      says(JSON.stringify({ option: 'deep', confidence: 0.8, reasoning: 'It is weak.' })),
    )
    const { id, end } = await start(scene, models, [
      prompt('analyse', {
        agent_routing: true,
        routing_options: {
          deep: { add_steps: ['research'], continue_to: 'write', reason: 'weak' },
          quick: { continue_to: 'publish', reason: 'good' },
        },
      }),
      prompt('research'),
      prompt('write'),
      prompt('publish'),
    ])
    expect(await end).toMatchObject({ status: 'completed' })
    expect(await scene.steps(id)).toMatchObject({
      analyse: {
        state: 'completed',
        output: 'A weak text.',
        details: {
          decision: { decision: 'deep', confidence: 0.8, stepsAdded: ['research'], alternatives: ['quick'] },
          confidence: 0.8,
          usage: { aiCalls: 2 },
        },
      },
      research: { state: 'completed' },
      write: { state: 'completed' },
      publish: { state: 'skipped' },
    })
    expect(await scene.happened(id)).toContain('agent_decision')
  })

  test('calls another provider when the step says so', async () => {
    await using models = await openAiScene()
    await using scene = await openEngineScene()
    models.openai.script({ status: 503 })
    const { id, end } = await start(scene, models, [
      prompt('a', { error_handling: { on_failure: 'retry_with_different_provider' } }),
    ])
    expect(await end).toMatchObject({ status: 'completed' })
    expect(await scene.steps(id)).toMatchObject({
      a: { state: 'completed', attempts: 2, details: { usage: { provider: 'anthropic' } } },
    })
  })

  test('retries a rejected response, and counts both', async () => {
    await using models = await openAiScene()
    await using scene = await openEngineScene()
    models.openai.script(says('short'), says('long enough now'))
    const { id, end } = await start(scene, models, [
      prompt('a', {
        validation: { min_length: 10 },
        retry_config: { max_attempts: 2, retry_on_validation_failure: true },
      }),
    ])
    expect(await end).toMatchObject({ status: 'completed' })
    expect(await scene.steps(id)).toMatchObject({
      a: { output: 'long enough now', attempts: 2, spent: 90, details: { usage: { inputTokens: 200 } } },
    })
    expect(await scene.read(id)).toMatchObject({ spent: 90, reserved: 0 })
    expect(await models.gateway.spent()).toEqual({ spent: 90, reserved: 0 })
  })

  test('makes no call that could exceed its budget', async () => {
    await using models = await openAiScene()
    await using scene = await openEngineScene()
    const { id, end } = await start(scene, models, [prompt('a')], {
      global_configuration: { cost_controls: { max_total_cost: 0.00005 } },
    })
    expect(await end).toMatchObject({ status: 'failed', error: { code: 'INSUFFICIENT_CREDITS', step: 'a' } })
    expect(models.openai.requests.filter(({ method }) => method === 'POST')).toEqual([])
    expect(await scene.read(id)).toMatchObject({ spent: 0, reserved: 0 })
  })

  test('aborts its model calls when it is cancelled, and pays for the output so far', async () => {
    await using models = await openAiScene()
    await using scene = await openEngineScene()
    models.openai.script({ steps: [{ text: 'Green' }, 'hang'] })
    const { engine, id, end } = await start(scene, models, [prompt('a')])
    const { closed } = await models.openai.nextRequest('/chat/completions')
    await engine.executions.cancel(id, { by: null, reason: 'enough', force: false })
    expect(await end).toMatchObject({ status: 'cancelled' })
    expect(await closed).toBe(true)
    const { spent, reserved } = await models.gateway.spent()
    expect(reserved).toBe(0)
    expect(await scene.read(id)).toMatchObject({ status: 'cancelled', spent, reserved: 0 })
  })
})
