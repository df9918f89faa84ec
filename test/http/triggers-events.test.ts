import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'
import { executionsOf, followEvents, untilEnd } from './triggers-setting.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: FlowsPlatform

const permissionsOf = {
  nora: ['run workflows'],
  otto: ['run workflows'],
  loop: ['run workflows'],
  rita: ['run workflows'],
  ada: ['run workflows', 'administer llm'],
}

beforeAll(async () => {
  server = await openFlowsPlatform(
    { seed: false, runStep: () => createObedientSteps().runStep, triggers: { turnMs: 60_000 } },
    { prefix: '/ai-workflows/api', permissionsOf },
  )
  // The first run only remembers the end of the log.
  await followEvents(server)
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function createEventTrigger(flow_id: string, more: object, as: string): Promise<string> {
  const body = { kind: 'event', flow_id, ...more }
  const answer = await server.post('/triggers', body, { as })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.trigger_id as string
}

async function run(flow_id: string, as: string): Promise<string> {
  const { status, body } = await server.post('/execute-flow-async', { flow_id }, { as })
  if (status !== 202) throw new Error(JSON.stringify(body))
  await untilEnd(server, body.execution_id)
  return body.execution_id as string
}

const endsInLog = (id: string) =>
  eventually(async () => {
    const { events } = await server.events.read({ after: 0, limit: 200, subject: id })
    return events.some(({ type }) => type.startsWith('flow.execution.'))
  })

describe('the end of an execution', () => {
  test('starts the flow of a trigger, with its result, for the same account only', async () => {
    const [first, second] = [
      await server.save([prompt('only', 'speak The result')]),
      await server.save([prompt('only', 'Next')]),
    ]
    const trigger = await createEventTrigger(
      second,
      {
        events: ['flow.execution.completed'],
        filter: { field: 'event.flow_id', operator: '==', value: first },
        input: { before: '{{event.execution_id}}', text: '{{event.result}}' },
      },
      'nora',
    )
    const others = await createEventTrigger(second, { events: ['flow.execution.completed'] }, 'otto')
    const id = await run(first, 'nora')
    await endsInLog(id)
    await followEvents(server)
    // A second replica, or the same one after a crash, reads the event again.
    await server.database.query('update trigger_event_cursor set position = 0')
    await followEvents(server)
    const started = await executionsOf(server, trigger)
    expect(started).toHaveLength(1)
    const record = await server.engine.executions.read(started[0]?.id ?? '')
    expect(record?.input).toMatchObject({ context: { before: id, text: 'The result' }, trigger_depth: 1 })
    expect(await executionsOf(server, others)).toEqual([])
    const { body } = await server.call(`/triggers/${trigger}/deliveries`)
    expect(body.deliveries).toMatchObject([
      { delivery_id: expect.stringMatching(/^event:\d+$/) as string, outcome: 'started' },
    ])
  })

  test('is read once for all triggers that read its result', async () => {
    const flow = await server.save([prompt('only', 'Next')])
    const reads = {
      events: ['flow.execution.completed'],
      filter: { expression: 'event.result == "Next" && event.trigger_depth == 0' },
    }
    const triggers = [
      await createEventTrigger(flow, reads, 'rita'),
      await createEventTrigger(flow, reads, 'rita'),
    ]
    const id = await run(flow, 'rita')
    await endsInLog(id)
    const read = vi.spyOn(server.engine.executions, 'read')
    await followEvents(server)
    expect(read.mock.calls.filter(([of]) => of === id)).toHaveLength(1)
    for (const trigger of triggers) expect(await executionsOf(server, trigger)).toHaveLength(1)
  })

  test('starts no more than five executions that start each other', async () => {
    const flow = await server.save([prompt('only', 'Again')])
    const trigger = await createEventTrigger(flow, { events: ['flow.execution.completed'] }, 'loop')
    await endsInLog(await run(flow, 'loop'))
    for (let depth = 1; depth <= 5; depth += 1) {
      await followEvents(server)
      const started = await executionsOf(server, trigger)
      expect(started).toHaveLength(depth)
      await untilEnd(server, started.at(-1)?.id ?? '')
      await endsInLog(started.at(-1)?.id ?? '')
    }
    await followEvents(server)
    expect(await executionsOf(server, trigger)).toHaveLength(5)
    const { body } = await server.call(`/triggers/${trigger}`, { as: 'loop' })
    expect(body).toMatchObject({ last_outcome: 'refused', last_error: { code: 'TRIGGER_LOOP' } })
  })
})

describe('an event of the log', () => {
  test('starts the flow of an administrator, until the permission is gone', async () => {
    const flow = await server.save([prompt('only', 'Look')])
    const input = { provider: '{{event.subject}}', status: '{{event.status}}' }
    const trigger = await createEventTrigger(
      flow,
      { events: ['models.provider_status_changed'], input },
      'ada',
    )
    const announce = () =>
      server.events.append({
        type: 'models.provider_status_changed',
        subject: 'openai',
        data: { status: 'unavailable' },
      })
    await announce()
    await followEvents(server)
    const [started] = await executionsOf(server, trigger)
    const record = await server.engine.executions.read(started?.id ?? '')
    expect(record?.input.context).toEqual({ provider: 'openai', status: 'unavailable' })

    await server.database.query(`update identity_users set disabled_at = now() where id = $1`, [
      server.idOf('ada'),
    ])
    await eventually(
      async () => (await server.identity.accountStatusOf(server.idOf('ada')))?.disabled === true,
    )
    await announce()
    await followEvents(server)
    expect(await executionsOf(server, trigger)).toHaveLength(1)
    expect(await server.triggers.read(trigger)).toMatchObject({ lastError: { code: 'trigger_gone' } })
  })
})
