import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHuman } from '../../src/engine/steps/human.ts'
import { runPlainly } from '../database/engine-setting.ts'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { startSlack } from '../database/notifications-slack-server.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

let server: WorkflowsServer
let mail: MailServer
let slack: Awaited<ReturnType<typeof startSlack>>

beforeAll(async () => {
  mail = await startMailServer()
  slack = await startSlack()
  server = await startWorkflowsServer({
    addresses: { nora: 'nora@example.com', vera: 'vera@example.com' },
    environment: {
      TUTTI_SMTP_URL: mail.url,
      TUTTI_MAIL_FROM: 'tutti@example.com',
      TUTTI_SLACK_WEBHOOK_URL: slack.url,
      TUTTI_PUBLIC_URL: 'http://tutti.example',
    },
    runStep: async (run) =>
      run.step.type === 'human' ? await runHuman({ ...run, step: run.step }) : await runPlainly(run),
  })
})

afterAll(async () => {
  await server.close()
  await mail[Symbol.asyncDispose]()
  await slack[Symbol.asyncDispose]()
})

const form = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string', format: 'multiline' } },
  required: ['approved'],
}

/** Starts an execution that asks a person, and returns its task. */
async function ask(fields: object = {}) {
  const flowId = await server.save([
    { id: 'review', type: 'human', message: 'Is "{{content}}" good?', form, ...fields },
  ])
  const started = await server.post('/execute-flow', {
    flow_id: flowId,
    context: {
      content: 'A <b>text</b>',
      metadata: { manager: server.idOf('vera'), patience: '2h' },
    },
  })
  expect(started.status).toBe(202)
  const executionId = String(started.body['execution_id'])
  const { waits } = (started.body as { suspended: { waits: { human_task_id: string }[] } }).suspended
  return { executionId, id: waits[0]?.human_task_id ?? '' }
}

/** The audit events about a task. */
async function auditOf(id: string) {
  return await server.database.query(
    `select account, data from kernel_events where type = 'workflows.human_task_answered' and subject = $1`,
    [id],
  )
}

async function resultOf(executionId: string): Promise<unknown> {
  await eventually(
    async () => (await server.call(`/executions/${executionId}`)).body['status'] === 'completed',
    200,
  )
  return (await server.call(`/executions/${executionId}`)).body['result']
}

describe('a human task', () => {
  test('shows the fields of its form in the order of the definition', async () => {
    const names = ['subject', 'name', 'amount']
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const { id } = await ask({ form: { type: 'object', properties } })
    const { body } = await server.call(`/human-tasks/${id}`)
    expect(Object.keys(body.form.properties)).toEqual(names)
  })

  test('is listed, read and answered; the flow continues with the answer', async () => {
    const { executionId, id } = await ask()
    expect((await server.call(`/human-tasks?execution=${executionId}`)).body).toMatchObject({
      total: 1,
      tasks: [
        { id, state: 'open', message: 'Is "A <b>text</b>" good?', form, may_answer: true, assignees: null },
      ],
    })
    const answer = { approved: true, reason: 'It is short.' }
    const answered = await server.post(`/human-tasks/${id}/answer`, { answer, comment: 'Well done' })
    expect(answered).toMatchObject({
      status: 200,
      body: {
        success: true,
        execution_id: executionId,
        task: { state: 'answered', answer, comment: 'Well done' },
      },
    })
    expect(await resultOf(executionId)).toEqual({
      answered: true,
      answer,
      by: server.idOf('nora'),
      comment: 'Well done',
      at: expect.any(String),
    })
    expect(await server.post(`/human-tasks/${id}/answer`, { answer })).toMatchObject({
      status: 409,
      body: { error: { code: 'HUMAN_TASK_CLOSED' } },
    })
    expect((await server.call(`/human-tasks/${id}`)).body).toMatchObject({
      state: 'answered',
      may_answer: false,
    })
  })

  test('of two answers at the same time, one counts and one is in the audit log', async () => {
    const { id, executionId } = await ask()
    const answers = await Promise.all(
      [true, false].map((approved) => server.post(`/human-tasks/${id}/answer`, { answer: { approved } })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(await auditOf(id)).toMatchObject([
      {
        account: server.idOf('nora'),
        data: {
          execution_id: executionId,
          step_id: 'review',
          by: server.idOf('nora'),
          via: expect.stringMatching(/^(api_key|token)$/),
          ip: '127.0.0.1',
        },
      },
    ])
  })

  test.each([
    [{ answer: { approved: 'maybe' } }, 'answer.approved must be true or false.'],
    [{ answer: {} }, 'answer.approved is required.'],
    [{ answer: { approved: true, other: 1 } }, 'answer.other is not a field of the form.'],
    [{ answer: null }, 'answer must be an object.'],
  ])('refuses the answer %j', async (body, message) => {
    const { id } = await ask()
    expect(await server.post(`/human-tasks/${id}/answer`, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', message } },
    })
  })

  test('needs a comment when it says so', async () => {
    const { id } = await ask({ require_comment: true })
    const answer = { approved: true }
    expect((await server.post(`/human-tasks/${id}/answer`, { answer, comment: ' ' })).status).toBe(400)
    expect((await server.post(`/human-tasks/${id}/answer`, { answer, comment: 'Yes' })).status).toBe(200)
  })

  test('is visible to its execution, its assignees and managers, and answered by the last two', async () => {
    const { id } = await ask({ assignees: { accounts: [server.idOf('otto')] } })
    const statusFor = async (as: string) => (await server.call(`/human-tasks/${id}`, { as })).status
    expect([
      await statusFor('nora'),
      await statusFor('otto'),
      await statusFor('mara'),
      await statusFor('vera'),
    ]).toEqual([200, 200, 200, 404])
    expect((await server.call('/human-tasks?assigned=me&state=open', { as: 'otto' })).body).toMatchObject({
      total: 1,
      tasks: [{ id }],
    })
    const body = { answer: { approved: true } }
    expect((await server.post(`/human-tasks/${id}/answer`, body, { as: 'vera' })).status).toBe(404)
    expect(await server.post(`/human-tasks/${id}/answer`, body)).toMatchObject({
      status: 403,
      body: { error: { code: 'PERMISSION_DENIED' } },
    })
    expect((await server.post(`/human-tasks/${id}/answer`, body, { as: 'otto' })).status).toBe(200)
  })

  test('is open to an assignee without permissions, and its execution is not', async () => {
    const { id, executionId } = await ask({ assignees: { accounts: [server.idOf('vera')] } })
    const rightsOf = async (as: string) => {
      const { body } = await server.call(`/human-tasks/${id}`, { as })
      return [body['may_answer'], body['may_open_execution']]
    }
    expect(await rightsOf('vera')).toEqual([true, false])
    expect(await rightsOf('nora')).toEqual([false, true])
    expect(await rightsOf('mara')).toEqual([true, true])
    expect((await server.call(`/executions/${executionId}`, { as: 'vera' })).status).toBe(403)
    expect((await server.call('/human-tasks?assigned=me&state=open', { as: 'vera' })).body).toMatchObject({
      tasks: [{ id, may_answer: true, may_open_execution: false }],
    })
    const answered = await server.post(
      `/human-tasks/${id}/answer`,
      { answer: { approved: true } },
      { as: 'vera' },
    )
    expect(answered.body).toMatchObject({ task: { state: 'answered', may_open_execution: false } })
  })

  test('asks the assignees that its placeholders name, until the time they name', async () => {
    const before = mail.mails.length
    const { id } = await ask({
      assignees: { accounts: ['{{= content.size() > 0 ? metadata.manager : ""}}'] },
      notify: { email: true, subject: 'About {{metadata.patience}}' },
      timeout: '{{metadata.patience}}',
    })
    const { body } = await server.call(`/human-tasks/${id}`, { as: 'vera' })
    expect(body).toMatchObject({ assignees: { accounts: [server.idOf('vera')] }, may_answer: true })
    expect(Number(body['expires_at']) - Number(body['created_at'])).toBe(7200)
    await mail.untilMails(before + 1)
    const { to, text, headers } = mail.mails.at(-1) ?? {}
    expect(to).toEqual(['vera@example.com'])
    expect(headers?.get('subject')).toBe('About 2h')
    expect(text).toContain(`Answer here: http://tutti.example/human-tasks?task=${id}\n`)
  })

  test('mails assignees that are named by username, each once', async () => {
    const before = mail.mails.length
    const accounts = ['vera', 'nora', server.idOf('nora')]
    await ask({ assignees: { accounts }, notify: { email: true } })
    await mail.untilMails(before + 2)
    const recipients = mail.mails.slice(before).flatMap(({ to }) => to)
    expect(recipients.toSorted()).toEqual(['nora@example.com', 'vera@example.com'])
  })

  test('is cancelled with its execution', async () => {
    const { executionId, id } = await ask()
    await server.post(`/executions/${executionId}/cancel`, {})
    expect((await server.call(`/human-tasks/${id}`)).body).toMatchObject({ state: 'cancelled' })
    expect((await server.post(`/human-tasks/${id}/answer`, { answer: { approved: true } })).status).toBe(409)
  })

  test('that no one answers continues with the default and a warning, or fails', async () => {
    const lenient = await ask({ on_timeout: 'continue', default: { approved: false } })
    const strict = await ask()
    await server.database.query('update engine_waits set wake_at = now() where id = any($1::uuid[])', [
      [lenient.id, strict.id],
    ])
    expect(await resultOf(lenient.executionId)).toMatchObject({
      answered: false,
      answer: { approved: false },
      by: null,
    })
    expect((await server.call(`/executions/${lenient.executionId}`)).body).toMatchObject({
      warnings: [{ type: 'human_task_timed_out', step: 'review' }],
    })
    await eventually(
      async () => (await server.call(`/executions/${strict.executionId}`)).body['status'] === 'failed',
      200,
    )
    expect((await server.call(`/executions/${strict.executionId}`)).body).toMatchObject({
      error: { code: 'WAIT_TIMED_OUT' },
    })
  })

  test('of a flow that was stored before its assignees and default were checked is asked, and ends as before', async () => {
    const flowId = await server.save([
      { id: 'review', type: 'human', message: 'Good?', on_timeout: 'continue' },
    ])
    await server.database.query(
      `update engine_flow_versions
       set written = null, definition = jsonb_set(definition, '{steps,0}', definition #> '{steps,0}' || $2::jsonb)
       where flow_id = $1`,
      [flowId, JSON.stringify({ assignees: {}, default: { approved: 'never' } })],
    )
    expect((await server.call(`/flows/${flowId}`)).status).toBe(200)
    const started = await server.post('/execute-flow', { flow_id: flowId, context: {} })
    const executionId = String(started.body['execution_id'])
    const { body } = await server.call(`/human-tasks?execution=${executionId}`, { as: 'mara' })
    expect(body).toMatchObject({
      tasks: [{ assignees: { accounts: [], roles: [], emails: [] }, may_answer: true }],
    })
    await server.database.query('update engine_waits set wake_at = now() where execution_id = $1', [
      executionId,
    ])
    expect(await resultOf(executionId)).toMatchObject({ answered: false, answer: { approved: 'never' } })
  })

  test('with a form that is no form cannot be saved', async () => {
    const definition = {
      id: 'asks',
      label: 'Asks',
      steps: [{ id: 'review', type: 'human', message: 'Good?', form: { type: 'string' } }],
    }
    const answer = await server.post('/flows', { flow_definition: definition }, { as: 'mara' })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).toContain('steps[0].form.type')
  })
})

async function askByMail() {
  const before = mail.mails.length
  const task = await ask({ assignees: { emails: ['zoe@example.com'] }, notify: { email: true } })
  await mail.untilMails(before + 1)
  const { to, text, headers } = mail.mails.at(-1) ?? {}
  expect(to).toEqual(['zoe@example.com'])
  expect(headers?.get('subject')).toContain('needs your answer')
  const path = /http:\/\/tutti\.example(\/ai-workflows\/api\/answer\/\S+)/.exec(text ?? '')?.[1] ?? ''
  return { ...task, url: `${server.url}${path}` }
}

const sendForm = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) })

describe('the link in a mail', () => {
  test('shows the form and never answers; only the form does, and only once', async () => {
    const { url, executionId, id } = await askByMail()
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(url, { method })).status).toBe(200)
    expect((await server.call(`/human-tasks/${id}`)).body).toMatchObject({ state: 'open' })
    const shown = await fetch(url)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    const text = await shown.text()
    expect(text).toContain('Is &quot;A &lt;b&gt;text&lt;/b&gt;&quot; good?')
    expect(text).toContain('name="answer.approved"')

    const incomplete = await sendForm(url, { 'answer.reason': '<i>kept</i>' })
    expect(incomplete.status).toBe(400)
    const again = await incomplete.text()
    expect(again).toContain('approved is required')
    expect(again).toContain('&lt;i&gt;kept&lt;/i&gt;')

    const sent = await sendForm(url, {
      'answer.approved': 'false',
      'answer.reason': 'Too bold.',
      comment: 'Sorry',
    })
    expect(sent.status).toBe(200)
    expect(await sent.text()).toContain('Thank you')
    expect(await resultOf(executionId)).toMatchObject({
      answer: { approved: false, reason: 'Too bold.' },
      by: 'mail:zoe@example.com',
      comment: 'Sorry',
    })
    expect(await auditOf(id)).toMatchObject([
      { data: { by: 'mail:zoe@example.com', via: 'link', execution_id: executionId } },
    ])
    expect((await sendForm(url, { 'answer.approved': 'true' })).status).toBe(409)
    const late = await fetch(url)
    expect([late.status, await late.text()]).toEqual([200, expect.stringContaining('answered already')])
  })

  test('is useless when it was changed', async () => {
    const { url, id } = await askByMail()
    const changed = `${url.slice(0, -4)}AAAA`
    expect((await fetch(changed)).status).toBe(404)
    expect((await sendForm(changed, { 'answer.approved': 'true' })).status).toBe(404)
    expect((await fetch(`${server.url}/ai-workflows/api/answer/x`)).status).toBe(404)
    expect((await server.call(`/human-tasks/${id}`)).body).toMatchObject({ state: 'open' })
  })
})

describe('the message to Slack', () => {
  test('has the question as plain text and a link to the page of the task', async () => {
    const { id } = await ask({
      message: 'Is <!channel> & *this* good?',
      notify: { slack_channel: '#reviews' },
    })
    await eventually(() => slack.messages.length === 1)
    const { path, body } = slack.messages[0] ?? {}
    expect(path).toBe('/services/T0/B0/secret')
    expect(body).toMatchObject({ channel: '#reviews', mrkdwn: false, link_names: false })
    const lines = String(body.text).split('\n')
    expect(lines[0]).toMatch(/^".+" waits for an answer until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
    // Mentions and markup of the message have no effect in Slack.
    expect(lines[1]).toBe('Is &lt;!channel&gt; &amp; *this* good?')
    expect(lines.at(-1)).toBe(`http://tutti.example/human-tasks?task=${id}`)
  })

  test('has the beginning of a long question', async () => {
    const before = slack.messages.length
    await ask({ message: `Long ${'x'.repeat(5000)}`, notify: { slack_channel: '#reviews' } })
    await eventually(() => slack.messages.length === before + 1)
    const { text } = slack.messages.at(-1)?.body ?? {}
    expect(text.length).toBeLessThan(1300)
    expect(text).toMatch(/\nLong x+ …\nhttp/)
  })
})
