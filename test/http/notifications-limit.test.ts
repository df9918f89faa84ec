import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHuman } from '../../src/engine/steps/human.ts'
import { runPlainly } from '../database/engine-setting.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

const perDay = 5

describe('the limit of notifications per account and day', () => {
  let server: WorkflowsServer

  beforeAll(async () => {
    server = await startWorkflowsServer({
      addresses: { nora: 'nora@example.com' },
      environment: {
        // Nothing listens there: the notifications stay in their queue.
        TUTTI_SMTP_URL: 'smtp://127.0.0.1:9',
        TUTTI_MAIL_FROM: 'tutti@example.com',
        TUTTI_PUBLIC_URL: 'http://tutti.example',
        TUTTI_NOTICES_PER_DAY: String(perDay),
      },
      runStep: async (run) =>
        run.step.type === 'human' ? await runHuman({ ...run, step: run.step }) : await runPlainly(run),
    })
  })
  afterAll(() => server.close())

  /** The queued notifications by recipient, once everything that happened was dispatched. */
  async function queued() {
    await eventually(async () => (await server.database.query('select from engine_outbox')).length === 0)
    return await server.database.query<{ recipient: string; subject: string; body: string; about: string }>(
      'select recipient, subject, body, about from notices order by created_at, recipient',
    )
  }

  test('holds for the human tasks of a for_each and for the ends of executions; the tasks stay open', async () => {
    const emails = ['zoe@example.com', 'ada@example.com', 'kim@example.com']
    const review = {
      id: 'review',
      type: 'human',
      message: 'Good?',
      assignees: { emails },
      notify: { email: true },
    }
    const asking = await server.save([
      { id: 'each', type: 'for_each', items: 'rows', concurrency: 20, steps: [review] },
    ])
    const rows = Array.from({ length: 20 }, (_, row) => row)
    const started = await server.post('/execute-flow', { flow_id: asking, context: { rows } })
    expect(started.status).toBe(202)
    const executionId = String(started.body['execution_id'])
    const first = await queued()
    expect(first.filter(({ about }) => about === executionId)).toHaveLength(perDay)

    const { body } = await server.call(`/human-tasks?execution=${executionId}&state=open`)
    expect(body.total).toBe(rows.length)
    const answer = { answer: { approved: true } }
    const answered = await server.post(`/human-tasks/${body.tasks.at(-1).id}/answer`, answer, { as: 'mara' })
    expect(answered.status).toBe(200)

    const ending = await server.save([{ id: 'only', type: 'ai_prompt', prompt: 'fine' }])
    const options = { notifications: { email_on_completion: 'ada@example.com' } }
    const ended = await server.post('/execute-flow', { flow_id: ending, options })
    const others = await server.post('/execute-flow', { flow_id: ending, options }, { as: 'otto' })
    const last = await queued()
    expect(last.filter(({ about }) => about === ended.body['execution_id'])).toEqual([])
    expect(last.filter(({ about }) => about === others.body['execution_id'])).toHaveLength(1)

    // One mail to the owner, for both refusals.
    const own = last.filter(({ recipient }) => recipient === 'nora@example.com')
    expect(own).toEqual([
      {
        recipient: 'nora@example.com',
        subject: 'Your notifications have reached their daily limit',
        body: expect.stringMatching(/\b5 notifications\b[^]+ until \d{4}-\d\d-\d\d \d\d:\d\d UTC[^]+console/),
        about: server.idOf('nora'),
      },
    ])
    expect(last).toHaveLength(perDay + 2)
  })
})
