import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

interface Results {
  readonly results: readonly { readonly execution_id: string; readonly ok: boolean }[]
}

const steps = createObedientSteps()
let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer({ runStep: steps.runStep, requestsPerHour: 60 })
})
afterAll(async () => {
  steps.reset()
  await server?.[Symbol.asyncDispose]()
})

async function enqueue(flowId: string, as: string): Promise<string> {
  const { id } = await server.engine.executions.enqueue({
    flowId,
    flowVersion: 1,
    accountId: server.idOf(as),
    priority: 'normal',
    input: { context: {}, options: {}, memory: {} },
  })
  return id
}

async function untilIs(ids: readonly string[], status: string): Promise<void> {
  await expect
    .poll(async () =>
      (await Promise.all(ids.map((id) => server.engine.executions.read(id)))).map((it) => it?.status),
    )
    .toEqual(ids.map(() => status))
}

const outcomesOf = ({ results }: Results) =>
  Object.fromEntries(results.map(({ execution_id: id, ...result }) => [id, result]))

describe('the cancellation of several executions', () => {
  test('cancels those it can, and says why not of the others', async () => {
    const waiting = await server.save([prompt('only', 'wait bulk')])
    const quick = await server.save([prompt('only', 'x')])
    const running = await Promise.all([enqueue(waiting, 'nora'), enqueue(waiting, 'nora')])
    const over = await enqueue(quick, 'nora')
    const his = await enqueue(waiting, 'otto')
    const unknown = randomUUID()
    await steps.reached('bulk')
    await untilIs([over], 'completed')
    const [first, second] = running
    const execution_ids = [first.toUpperCase(), second, first, over, his, unknown]
    const { status, body } = await server.post('/executions/cancel', { execution_ids, reason: 'No need' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ succeeded: 2, failed: 3 })
    // A worker that does not confirm within two seconds is not awaited.
    const cancelled = { ok: true, status: expect.stringMatching(/^cancell(ed|ing)$/) as string, error: null }
    expect(outcomesOf(body)).toEqual({
      [first]: cancelled,
      [second]: cancelled,
      [over]: refused('EXECUTION_NOT_RUNNING'),
      [his]: refused('EXECUTION_NOT_FOUND'),
      [unknown]: refused('EXECUTION_NOT_FOUND'),
    })
    await untilIs(running, 'cancelled')
    await untilIs([his], 'running')
    const byManager = await server.post('/executions/cancel', { execution_ids: [his] }, { as: 'mara' })
    expect(byManager.body).toMatchObject({ succeeded: 1, failed: 0 })
  })

  test.each([
    { execution_ids: [] },
    { execution_ids: ['x'] },
    { execution_ids: Array.from({ length: 101 }, () => randomUUID()) },
    { execution_ids: [randomUUID()], force: true },
    {},
  ])('refuses a request that is not as described', async (sent) => {
    const { status, body } = await server.post('/executions/cancel', sent)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('needs the permission to run or manage workflows', async () => {
    const sent = { execution_ids: [randomUUID()] }
    expect((await server.post('/executions/cancel', sent, { as: 'vera' })).status).toBe(403)
    expect((await server.post('/executions/recover', sent, { as: '' })).status).toBe(401)
  })
})

describe('the recovery of several executions', () => {
  test('queues failed ones again, up to the hourly limit', async () => {
    const failing = await server.save([prompt('only', 'fail INVALID_STEP')])
    const quick = await server.save([prompt('only', 'x')])
    const failed = await Promise.all(Array.from({ length: 3 }, () => enqueue(failing, 'nora')))
    const over = await enqueue(quick, 'nora')
    await Promise.all([untilIs(failed, 'failed'), untilIs([over], 'completed')])
    const { body } = await server.post('/executions/recover', {
      execution_ids: [...failed, over],
      action: 'restart_from_checkpoint',
    })
    expect(body).toMatchObject({ succeeded: 3, failed: 1 })
    expect(outcomesOf(body)[over]).toEqual(refused('EXECUTION_NOT_FAILED'))
    expect(outcomesOf(body)[failed[0] ?? '']).toEqual({ ok: true, status: 'queued', error: null })
    await untilIs(failed, 'failed')
    const versions = await server.post('/executions/recover', {
      execution_ids: failed.slice(0, 1),
      action: 'restart_from_checkpoint',
      flow_version: 7,
    })
    expect(outcomesOf(versions.body)[failed[0] ?? '']).toEqual(refused('FLOW_NOT_FOUND'))

    // Only failed executions of the caller take from the limit of 60.
    const some = await Promise.all(Array.from({ length: 70 }, () => enqueue(failing, 'otto')))
    await untilIs(some, 'failed')
    const all = await server.post(
      '/executions/recover',
      { execution_ids: [...some, randomUUID()], action: 'restart_from_checkpoint' },
      { as: 'otto' },
    )
    expect(all.body).toMatchObject({ succeeded: 60, failed: 11 })
    const codes = all.body.results.flatMap(
      ({ error }: { error: { code: string } | null }) => error?.code ?? [],
    )
    expect(codes.filter((code: string) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(10)
  })
})

function refused(code: string) {
  return { ok: false, status: null, error: { code, message: expect.any(String) as string } }
}
