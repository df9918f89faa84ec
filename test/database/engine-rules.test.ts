import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { answer, type EngineScene, openEngineScene, type RunStep } from './engine-setting.ts'

/** Every execution has its own flow and process, so all of them share the tables. */
let scene: EngineScene
beforeAll(async () => {
  scene = await openEngineScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const prompt = (id: string, dependencies: string[] = [], more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: id,
  dependencies,
  ...more,
})

interface Asked {
  readonly steps?: readonly object[]
  /** `global_configuration` of the flow. */
  readonly global?: object
  /** Options of the execution. */
  readonly options?: object
  readonly context?: object
  readonly runStep: RunStep
}

/** Runs a flow once, and returns the execution. */
async function run({ steps = [prompt('only')], global, options, context, runStep }: Asked) {
  const what = await scene.save(steps, { global_configuration: global })
  const { engine, worker } = await scene.startProcess({ runStep })
  const input = { ...what.input, context: { ...what.input.context, ...context }, options: options ?? {} }
  const { id, end } = await engine.executions.start({ ...what, input }, worker)
  await end
  const record = await engine.executions.read(id)
  if (record === undefined) throw new Error('it is gone')
  return record
}

/** A step that fails the given number of times, and then succeeds. */
function failing(times: number, code: 'PROVIDER_UNAVAILABLE' | 'VALIDATION_FAILED' = 'PROVIDER_UNAVAILABLE') {
  let tries = 0
  const runStep: RunStep = async () => {
    tries += 1
    if (tries > times) return answer('well')
    throw new StepFailure({ code, message: 'not this time', provider: `provider ${tries}` })
  }
  return { runStep, tries: () => tries }
}

const pauses = (record: Awaited<ReturnType<typeof run>>) =>
  record.events.filter(({ type }) => type === 'step_retrying').map(({ data }) => data.pause)

const soon = { error_handling: { retry_delay: 0.01 } }

describe.concurrent('the number of attempts of a step', () => {
  test.each([
    ['once, by default', {}, {}, {}, 1],
    ['as often as its flow says', { error_handling: { global_retry_attempts: 2 } }, {}, {}, 3],
    ['as often as the options of the caller say', {}, { error_handling: { retry_attempts: 3 } }, {}, 4],
    ['as often as the retries of the execution say', {}, { retry_config: { max_attempts: 2 } }, {}, 2],
    [
      'as often as it says itself, before all others',
      { error_handling: { global_retry_attempts: 5 } },
      { retry_config: { max_attempts: 5 } },
      { retry_config: { max_attempts: 2 } },
      2,
    ],
    [
      'once, when providers are not to be asked again',
      {},
      { retry_config: { max_attempts: 5, retry_on_provider_error: false } },
      {},
      1,
    ],
  ])('%s', async (_name, global, options, step, tries) => {
    const failingStep = failing(10)
    const record = await run({
      steps: [prompt('only', [], step)],
      global,
      options: {
        ...soon,
        ...options,
        error_handling: { ...soon.error_handling, ...Object(options).error_handling },
      },
      runStep: failingStep.runStep,
    })
    expect(failingStep.tries()).toBe(tries)
    expect(record).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_UNAVAILABLE', step: 'only' } })
    expect(record.outcomes[0]?.attempts).toBe(tries)
  })

  test.each([
    [true, 2],
    [false, 1],
  ])('with an invalid output: with retry_on_validation_failure %s', async (again, tries) => {
    const failingStep = failing(1, 'VALIDATION_FAILED')
    const record = await run({
      steps: [prompt('only', [], { retry_config: { max_attempts: 3, retry_on_validation_failure: again } })],
      options: soon,
      runStep: failingStep.runStep,
    })
    expect(failingStep.tries()).toBe(tries)
    expect(record.status).toBe(again ? 'completed' : 'failed')
  })

  test.each([
    [true, [0.02, 0.04, 0.08]],
    [false, [0.02, 0.02, 0.02]],
  ])('after growing pauses: exponential_backoff %s', async (grows, expected) => {
    const record = await run({
      options: {
        error_handling: { retry_delay: 0.02 },
        retry_config: { max_attempts: 4, exponential_backoff: grows },
      },
      runStep: failing(3).runStep,
    })
    expect(record.status).toBe('completed')
    expect(pauses(record)).toEqual(expected)
  })
})

describe.concurrent('the final failure of a step', () => {
  test.each([
    ['of the flow', { error_handling: { fallback_strategy: 'continue' } }, {}, 'completed'],
    [
      'of the caller, before that of the flow',
      { error_handling: { fallback_strategy: 'continue' } },
      { fallback_strategy: 'abort' },
      'failed',
    ],
    ['is to abort, without one', {}, {}, 'failed'],
  ])('uses the strategy %s', async (_name, global, errors, status) => {
    const record = await run({
      steps: [prompt('first'), prompt('second')],
      global,
      options: { error_handling: { ...soon.error_handling, ...errors } },
      runStep: async (it) => {
        if (it.step.id === 'second') return answer('well')
        throw new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'no' })
      },
    })
    expect(record.status).toBe(status)
  })

  test('retry_with_different_provider calls each other provider once', async () => {
    const avoided: string[][] = []
    const record = await run({
      options: { error_handling: { fallback_strategy: 'retry_with_different_provider' } },
      runStep: async ({ avoidedProviders }) => {
        avoided.push([...avoidedProviders])
        if (avoided.length === 3) return answer('well')
        throw new StepFailure({ code: 'PROVIDER_UNAVAILABLE', message: 'no', provider: `p${avoided.length}` })
      },
    })
    expect(record.status).toBe('completed')
    expect(avoided).toEqual([[], ['p1'], ['p1', 'p2']])
  })
})

describe.concurrent('bounds', () => {
  test.each([
    ['the flow', { resource_limits: { max_concurrent_ai_calls: 2 } }, {}, 2],
    ['the caller', {}, { resource_limits: { max_concurrent_ai_calls: 3 } }, 3],
    [
      'the tighter one',
      { resource_limits: { max_concurrent_ai_calls: 4 } },
      { resource_limits: { max_concurrent_ai_calls: 1 } },
      1,
    ],
    ['the default, five', {}, {}, 5],
  ])('the concurrency of model calls is the limit of %s', async (_name, global, options, most) => {
    let running = 0
    let seen = 0
    const together = Promise.withResolvers<void>()
    await run({
      steps: Array.from({ length: 8 }, (_, index) => prompt(`s${index}`)),
      global,
      options,
      runStep: async () => {
        running += 1
        seen = Math.max(seen, running)
        if (seen === most) together.resolve()
        await together.promise
        // The next one would start now.
        await setTimeout(15)
        running -= 1
        return answer('x')
      },
    })
    expect(seen).toBe(most)
  })

  test.each([
    ['max_execution_time of the flow', { resource_limits: { max_execution_time: '150ms' } }, {}, {}],
    ['max_execution_time of the execution', {}, { max_execution_time: 0.15 }, {}],
    [
      'the deadline in the context',
      {},
      {},
      () => ({ metadata: { deadline: new Date(Date.now() + 400).toISOString() } }),
    ],
  ])('its timeout is the one of %s', async (_name, global, options, context) => {
    const record = await run({
      global,
      options,
      context: typeof context === 'function' ? context() : context,
      runStep: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    expect(record).toMatchObject({ status: 'failed', error: { code: 'EXECUTION_TIMEOUT' } })
  })

  test('a timeout longer than a timer can be does not expire at once', async () => {
    const options = { max_execution_time: '597h' }
    const record = await run({
      options,
      runStep: async ({ signal }) => setTimeout(50, answer('x'), { signal }),
    })
    expect(record.status).toBe('completed')
  })

  test('a distant deadline ends nothing', async () => {
    const context = { metadata: { deadline: '2126-01-01T00:00:00Z' } }
    expect((await run({ context, runStep: async () => answer('x') })).status).toBe('completed')
  })

  test.each([
    ['max_memory_usage of the flow', { resource_limits: { max_memory_usage: '10KB' } }, {}],
    ['max_memory of the execution', {}, { resource_limits: { max_memory: '10KB' } }],
  ])('its memory limit is the one of %s', async (_name, global, options) => {
    const record = await run({ global, options, runStep: async () => answer('x'.repeat(11_000)) })
    expect(record).toMatchObject({ status: 'failed', error: { code: 'MEMORY_LIMIT_EXCEEDED', step: 'only' } })
  })

  test('its input counts, too', async () => {
    const record = await run({
      global: { resource_limits: { max_memory_usage: '1KB' } },
      context: { content: 'x'.repeat(2000) },
      runStep: async () => answer('x'),
    })
    expect(record).toMatchObject({ status: 'failed', error: { code: 'MEMORY_LIMIT_EXCEEDED' }, outcomes: [] })
  })
})

const paying: RunStep = async ({ budget, step }) => {
  const reservation = await budget.reserve(400_000, {
    callId: step.id,
    source: 'test',
    provider: 'p',
    model: 'm',
    requestedModel: 'm',
    priceSource: 'table',
    priceVersion: null,
    attempts: 1,
  })
  await reservation.settle(300_000)
  return answer('x')
}

describe.concurrent('cost limits', () => {
  const three = [prompt('a'), prompt('b', ['a']), prompt('c', ['b'])]

  test('cost_alerts are published as they are reached', async () => {
    const record = await run({
      steps: three,
      global: { cost_controls: { cost_alerts: [0.5, 0.25, 2] } },
      runStep: paying,
    })
    expect(
      record.events.filter(({ type }) => type === 'cost_alert').map(({ data }) => data.threshold),
    ).toEqual([0.25, 0.5])
    expect(record.spent).toBe(900_000)
  })

  test.each([
    ['max_total_cost of the flow', { cost_controls: { max_total_cost: 0.8 } }, {}],
    ['cost_limit of the execution', {}, { ai_options: { cost_limit: 0.8 } }],
  ])('%s ends it before the call that could exceed it', async (_name, global, options) => {
    const record = await run({ steps: three, global, options, runStep: paying })
    expect(record).toMatchObject({
      status: 'failed',
      spent: 600_000,
      reserved: 0,
      error: { code: 'INSUFFICIENT_CREDITS', step: 'c' },
    })
  })
})

const talking: RunStep = async (it) => {
  it.log('debug', 'a detail')
  it.log('info', 'a fact')
  return {
    ...answer(`made by ${it.step.id}`),
    decision: {
      agent: 'a',
      decision: 'd',
      confidence: 1,
      reasoning: 'r',
      contextUsed: [],
      alternatives: [],
      stepsAdded: [],
    },
  }
}

const messages = (record: Awaited<ReturnType<typeof run>>) =>
  record.events.filter(({ type }) => type === 'log').map(({ data }) => data.message)

async function tellsDecisions(capture: boolean): Promise<boolean> {
  const record = await run({
    options: { monitoring: { capture_agent_decisions: capture } },
    runStep: talking,
  })
  return record.events.some(({ type }) => type === 'agent_decision')
}

async function countsInHistory(track: boolean): Promise<number> {
  const { id } = await run({
    global: { monitoring: { track_performance_metrics: track } },
    runStep: talking,
  })
  const rows = await scene.database.query('select from engine_finished where execution_id = $1', [id])
  return rows.length
}

describe.concurrent('stored and published data', () => {
  const two = [prompt('first'), prompt('last', ['first'])]
  const inDetail = ['a detail', 'a fact', 'The step ended: completed.']

  test.each([
    ['of the flow', { monitoring: { enable_detailed_logging: true } }, {}, inDetail],
    ['of the execution', {}, { monitoring: { enable_detailed_logging: true } }, inDetail],
    [
      'of the execution, before that of the flow',
      { monitoring: { enable_detailed_logging: true } },
      { monitoring: { enable_detailed_logging: false } },
      ['a fact'],
    ],
    ['is off without one', {}, {}, ['a fact']],
  ])('enable_detailed_logging %s', async (_name, global, options, expected) => {
    expect(messages(await run({ global, options, runStep: talking }))).toEqual(expected)
  })

  test.each([
    ['capture_intermediate_results of the flow', { monitoring: { capture_intermediate_results: false } }, {}],
    [
      'track_intermediate_results of the execution',
      {},
      { monitoring: { track_intermediate_results: false } },
    ],
  ])('%s false stores the result alone', async (_name, global, options) => {
    const record = await run({ steps: two, global, options, runStep: talking })
    expect(Object.entries(await scene.steps(record.id)).map(([id, { output }]) => [id, output])).toEqual([
      ['first', null],
      ['last', 'made by last'],
    ])
  })

  test('capture_agent_decisions false stores none', async () => {
    expect([await tellsDecisions(true), await tellsDecisions(false)]).toEqual([true, false])
  })

  test('track_performance_metrics false excludes it from the statistics of its flow', async () => {
    expect([await countsInHistory(true), await countsInHistory(false)]).toEqual([1, 0])
  })

  test('shared_memory_persistent starts with the final memory of the previous execution', async () => {
    const steps = [prompt('only', [], { output_to_memory: 'seen' })]
    for (const [keeps, expected] of [
      [true, [undefined, 1, 2]],
      [false, [undefined, undefined, undefined]],
    ] as const) {
      const found: unknown[] = []
      const what = await scene.save(steps, { global_configuration: { shared_memory_persistent: keeps } })
      const { engine, worker } = await scene.startProcess({
        runStep: async ({ scope }) => {
          found.push(scope.memory.seen)
          return answer(found.length)
        },
      })
      for (let times = 0; times < 3; times += 1) {
        const { end } = await engine.executions.start(what, worker)
        await end
      }
      expect(found).toEqual(expected)
    }
  })
})
