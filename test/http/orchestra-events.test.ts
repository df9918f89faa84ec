import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { answer as plainAnswer, type Run } from '../database/engine-setting.ts'
import { type Receiver, startReceiver } from '../database/webhooks-receiver.ts'
import { eventually } from '../support/eventually.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

/** The error of the gateway for an exhausted daily budget. */
const refusal = new StepFailure({
  code: 'INSUFFICIENT_CREDITS',
  message: 'There is not enough left of today.',
  details: { reason: 'budget_used_up' },
})

describe('webhooks of Orchestra', () => {
  let server: OrchestraServer
  let receiver: Receiver
  const steps = createObedientSteps()
  let agentsFail = false

  async function runStep(asked: Run) {
    const { step } = asked
    if (step.type === 'ai_prompt' && step.prompt === 'be refused') throw refusal
    if (step.type !== 'agent') return await steps.runStep(asked)
    if (agentsFail) throw new StepFailure({ code: 'AGENT_DECISION_ERROR', message: 'No idea.' })
    return plainAnswer('An opinion.')
  }

  beforeAll(async () => {
    server = await startOrchestraServer({ runStep: () => runStep })
  })
  beforeEach(async () => {
    await receiver?.[Symbol.asyncDispose]()
    receiver = await startReceiver()
    // Removes the data of a failed attempt. The interface repeats a deletion that meets a delivery in a deadlock.
    for (const { webhook_id } of (await server.call('/webhooks')).body.webhooks) await unsubscribe(webhook_id)
    await server.database.query('delete from orchestra_told')
    await server.database.query('delete from model_spend_scopes')
    agentsFail = false
  })
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  /** By the token, so that no test waits for the challenge. */
  async function subscribe(events: readonly string[], more: object = {}): Promise<string> {
    const { status, body } = await server.post('/webhooks', { url: receiver.url, events, ...more })
    expect(status).toBe(201)
    const verified = await fetch(body.verification.verification_url)
    // The challenge may have verified it already.
    expect([200, 404]).toContain(verified.status)
    await eventually(
      async () => (await server.call(`/webhooks/${body.webhook_id}`)).body.status === 'active',
      50,
    )
    return body.webhook_id
  }

  const unsubscribe = async (id: string) =>
    expect((await server.call(`/webhooks/${id}`, { method: 'DELETE' })).status).toBe(200)

  async function run(words: string, flow: object = {}) {
    const id = await server.save(
      [prompt('first', 'say so'), prompt('last', words, { dependencies: ['first'] })],
      {
        flow,
      },
    )
    const { body } = await server.post('/execute-workflow', { workflow_id: id })
    const executionId = body.execution_id ?? body.error.details.execution_id
    return { workflowId: id, executionId, results: body.result?.results }
  }

  const spend = (microDollars: number) =>
    server.database.query(
      `
        insert into model_spend_scopes (scope, period, spent, reserved)
        values ('account:' || $1, model_spend_period('day', now()), $2, 0)
        on conflict (scope, period) do update set spent = $2, reserved = 0
      `,
      [server.idOf('nora'), microDollars],
    )

  test('are created flat, read as created, changed, rotated and deleted', async () => {
    const given = {
      url: receiver.url,
      events: ['workflow.failed'],
      secret: 'a-secret-that-nora-chose',
      active: true,
      retry_config: { max_attempts: 4, retry_delay: 1, timeout: 3 },
    }
    const made = await server.post('/webhooks', given)
    expect(made.body).toMatchObject({
      success: true,
      webhook_url: receiver.url,
      events_subscribed: ['workflow.failed'],
      status: 'pending_verification',
      verification: { verification_required: true },
      secret: given.secret,
    })
    const path = `/webhooks/${made.body.webhook_id}`
    // The delivery of the challenge is recorded a moment after the webhook is active.
    await eventually(async () => {
      const { status, last_delivery } = (await server.call(path)).body
      return status === 'active' && last_delivery?.state === 'delivered'
    }, 50)
    const read = await server.call(path)
    const { url, events, active, retry_config } = read.body
    expect({ url, events, active, retry_config }).toEqual({
      url: given.url,
      events: given.events,
      active: true,
      retry_config: given.retry_config,
    })
    expect(read.body).not.toHaveProperty('secret')
    expect((await server.call('/webhooks')).body).toMatchObject({ total: 1, webhooks: [read.body] })
    // The response can be sent back with a change.
    const changed = await server.call(path, {
      method: 'PUT',
      body: { url, events, retry_config, active: false },
    })
    expect(changed.body.status).toBe('disabled')
    expect((await server.call(path)).body.active).toBe(false)
    const rotated = await server.post(`${path}/rotate-secret`, {})
    expect(rotated.body.secret).not.toBe(given.secret)
    expect((await server.call(`/ai-workflows/api${path}`)).status).toBe(404)
    expect((await server.call(path, { as: 'mara' })).status).toBe(404)
    await unsubscribe(made.body.webhook_id)
    const gone = await server.call(path)
    expect(gone.body.error).toMatchObject({ code: 'WEBHOOK_NOT_FOUND', documentation: expect.any(String) })
    const wrong = await server.post('/webhooks', { url: receiver.url, events: ['flow.execution.completed'] })
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  })

  test('deliver the end of an execution, in an envelope without the id of the webhook', async () => {
    const id = await subscribe(['workflow.completed', 'workflow.failed'])
    const good = await run('pay 0.01')
    await receiver.untilEvents(1)
    expect(receiver.events[0]?.body).toEqual({
      event: 'workflow.completed',
      timestamp: expect.any(Number),
      data: {
        execution_id: good.executionId,
        workflow_id: good.workflowId,
        workflow_version: 1,
        status: 'completed',
        duration: expect.any(Number),
        cost: 0.01,
        unpriced: false,
        results: { first: 'say so', last: '0.01' },
        results_omitted: false,
      },
      signature: expect.stringMatching(/^sha256=/),
    })
    expect(receiver.events[0]?.body.data.results).toEqual(good.results)
    const bad = await run('fail PROVIDER_UNAVAILABLE')
    await receiver.untilEvents(2)
    expect(receiver.events[1]?.body).toMatchObject({
      event: 'workflow.failed',
      data: {
        execution_id: bad.executionId,
        workflow_id: bad.workflowId,
        status: 'failed',
        error: {
          code: 'PROVIDER_UNAVAILABLE',
          message: 'It would not.',
          failed_step: 'last',
          provider: 'cloud',
        },
        completed_steps: ['first'],
      },
    })
    const { recovery } = receiver.events[1]?.body.data ?? {}
    expect(recovery.map(({ action }: { action: string }) => action)).toContain(
      'retry_with_different_provider',
    )
    const find = async () => (await server.call(`/webhooks/${id}/deliveries?event=workflow.failed`)).body
    // A delivery in flight is not redelivered.
    await expect.poll(find).toMatchObject({
      total: 1,
      deliveries: [{ event: 'workflow.failed', subject: bad.executionId, state: 'delivered' }],
    })
    const [delivery] = (await find()).deliveries
    const again = await server.post(`/webhooks/${id}/deliveries/${delivery.delivery_id}/redeliver`, undefined)
    expect(again.status).toBe(202)
    await receiver.untilEvents(3)
    expect(receiver.events[2]?.body.data).toEqual(receiver.events[1]?.body.data)
    await unsubscribe(id)
  })

  test('the callback of an execution gets its progress, and its end', async () => {
    const flow = await server.save([prompt('a', 'x'), prompt('b', 'y', { dependencies: ['a'] })])
    const { body } = await server.post('/execute-workflow', {
      workflow_id: flow,
      options: { callback_url: receiver.url, monitoring: { send_progress_updates: true } },
    })
    await receiver.untilEvents(3)
    expect(receiver.events.map((it) => it.body.event)).toEqual([
      'workflow.progress',
      'workflow.progress',
      'workflow.completed',
    ])
    expect(receiver.events[0]?.body.data).toMatchObject({
      execution_id: body.execution_id,
      workflow_id: flow,
      status: 'running',
      step_id: 'a',
      progress_percentage: expect.any(Number),
      elapsed_time: expect.any(Number),
    })
    expect(receiver.events[2]?.body.data).toMatchObject({ status: 'completed', results: { a: 'x', b: 'y' } })
  })

  test('deliver cost thresholds: of a workflow, and each of the day once', async () => {
    const id = await subscribe(['system.cost_threshold'])
    const { executionId } = await run('pay 0.3', {
      global_configuration: { cost_controls: { cost_alerts: [0.2] } },
    })
    await receiver.untilEvents(1)
    expect(receiver.events[0]?.body).toMatchObject({
      event: 'system.cost_threshold',
      data: {
        execution_id: executionId,
        alert_type: 'cost_alert',
        current_cost: 0.3,
        threshold: 0.2,
        period: 'execution',
      },
    })
    await spend(850_000)
    await run('pay 0.0001')
    await receiver.untilEvents(2)
    expect(receiver.events[1]?.body.data).toEqual({
      alert_type: 'daily_limit',
      current_cost: 0.85,
      threshold: 0.8,
      period: 'day',
      percentage: 80,
      daily_cost_limit: 1,
    })
    await spend(950_000)
    await run('be refused')
    await receiver.untilEvents(3)
    expect(receiver.events[2]?.body.data).toMatchObject({ percentage: 100, threshold: 1, current_cost: 0.95 })
    await unsubscribe(id)
  })

  test('deliver the degradation of an agent, once an hour', async () => {
    const id = await subscribe(['agent.performance_alert', 'workflow.failed'])
    await server.database.query(
      `
        insert into engine_history_steps
        select 'day', date_trunc('day', now(), 'UTC') - interval '3 days', '*', 'copy_editor', 'agent', 50, 0, 0, 50, 5000, '{}',
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        on conflict do nothing
      `,
    )
    agentsFail = true
    const flow = await server.save([{ id: 'look', type: 'agent', agent: 'copy_editor' }])
    for (let index = 0; index < 6; index += 1) await server.post('/execute-workflow', { workflow_id: flow })
    const alarms = () => receiver.events.filter(({ body }) => body.event === 'agent.performance_alert')
    await eventually(() => alarms().length > 0, 50)
    expect(alarms()[0]?.body.data).toEqual({
      agent_id: 'copy_editor',
      period: '1h',
      executions: expect.toSatisfy((count: number) => count >= 5),
      degradations: [{ metric: 'success_rate', current_value: 0, baseline: 100, threshold: 80 }],
    })
    await server.post('/execute-workflow', { workflow_id: flow })
    await receiver.untilEvents(8)
    agentsFail = false
    const [told] = await server.database.query<{ count: number }>(
      `select count(*) from orchestra_told where name like 'agent-alert %'`,
    )
    expect(told?.count).toBe(1)
    expect(alarms()).toHaveLength(1)
    await unsubscribe(id)
  })

  test('a webhook that became active in one process gets events of another', async () => {
    await using other = await startOrchestraServer({
      database: server.database,
      runStep: () => steps.runStep,
    })
    const flow = await server.save([prompt('only', 'x')])
    const runThere = async () =>
      (await other.post('/execute-workflow', { workflow_id: flow })).body.execution_id as string
    // So that the other process knows that there is no viewer.
    await runThere()
    // Called after the other process, which listens at the same connection.
    const { promise: isKnown, resolve } = Promise.withResolvers<void>()
    await using _ = await server.webhooks.listeners.onNew(server.database, () => resolve())
    const id = await subscribe(['workflow.completed'])
    await isKnown
    const executionId = await runThere()
    await receiver.untilEvents(1)
    expect(receiver.events[0]?.body.data.execution_id).toBe(executionId)
    await unsubscribe(id)
  })
})
