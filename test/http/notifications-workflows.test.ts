import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { startSlack } from '../database/notifications-slack-server.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps } from './workflows-steps.ts'

const step = (prompt: string) => ({ id: 'only', label: 'Only', type: 'ai_prompt', prompt })

describe('a notification about the end of an execution', () => {
  const closing = new AsyncDisposableStack()
  const steps = createObedientSteps()
  let server: WorkflowsServer
  let mailServer: MailServer
  let slack: Awaited<ReturnType<typeof startSlack>>

  beforeAll(async () => {
    mailServer = closing.use(await startMailServer())
    slack = closing.use(await startSlack())
    server = closing.use(
      await startWorkflowsServer({
        runStep: steps.runStep,
        environment: {
          TUTTI_SMTP_URL: mailServer.url,
          TUTTI_MAIL_FROM: 'Tutti <tutti@example.com>',
          TUTTI_SLACK_WEBHOOK_URL: slack.url,
          TUTTI_PUBLIC_URL: 'https://tutti.example.com',
        },
        addresses: { nora: 'nora@example.com' },
      }),
    )
  })
  afterAll(() => closing.disposeAsync())
  beforeEach(() => {
    steps.reset()
    mailServer.mails.length = 0
    slack.messages.length = 0
  })

  const run = async (prompt: string, options: object, as = 'nora', flow: object = {}) => {
    const flow_id = await server.save([step(prompt)], { flow: { label: 'Weekly report', ...flow } })
    return await server.post('/execute-flow', { flow_id, options }, { as })
  }
  /** Sends one more mail, so that all earlier ones have arrived. */
  const untilQuiet = async () => {
    await run('fine', { callback_config: { notification_email: 'last@example.com' } })
    await eventually(() => mailServer.mails.some(({ to }) => to[0] === 'last@example.com'))
  }

  test('is sent by mail, with usage and a link', async () => {
    const { status, body } = await run('pay 0.25', {
      callback_config: { notification_email: 'otto@example.com' },
    })
    expect([status, body.warnings]).toEqual([200, []])
    await mailServer.untilMails(1)
    const [mail] = mailServer.mails
    expect(mail?.to).toEqual(['otto@example.com'])
    expect(mail?.headers.get('subject')).toBe('Weekly report has completed')
    expect(mail?.text).toMatch(/^"Weekly report" has completed after [\d.]+ m?s\.\n/)
    expect(mail?.text).toContain(`\nExecution: ${body.execution_id}\n`)
    expect(mail?.text).toContain('\nCost: $0.25\n')
    expect(mail?.text).toContain(`\nhttps://tutti.example.com/executions/${body.execution_id}\n`)
  })

  test('is sent to Slack', async () => {
    const { body } = await run('fine', { notifications: { slack_channel: '#ops' } })
    expect(body.warnings).toEqual([])
    await eventually(() => slack.messages.length === 1)
    const { channel, text } = slack.messages[0]?.body ?? {}
    expect(channel).toBe('#ops')
    expect(text).toMatch(
      /^"Weekly report" has completed after [\d.]+ m?s, for \$0\.\nhttps:\/\/tutti\.example\.com\//,
    )
  })

  test('is sent for a failure, with the reason, unless it is disabled', async () => {
    const notifying = { notifications: { email_on_completion: 'otto@example.com', slack_channel: '#ops' } }
    const quietly = { error_handling: { notification_on_failure: false } }
    await run('fail INVALID_STEP', { ...notifying, ...quietly })
    await run('fail INVALID_STEP', notifying, 'nora', { global_configuration: quietly })
    await untilQuiet()
    expect([mailServer.mails.length, slack.messages.length]).toEqual([1, 0])

    const aloud = { error_handling: { notification_on_failure: true } }
    await run('fail INVALID_STEP', { ...notifying, ...aloud }, 'nora', { global_configuration: quietly })
    await eventually(() => mailServer.mails.length === 2 && slack.messages.length === 1)
    const mail = mailServer.mails[1]
    expect(mail?.headers.get('subject')).toBe('Weekly report has failed')
    expect(mail?.text).toContain('\nWhy: It would not. (INVALID_STEP)\n')
    expect(slack.messages[0]?.body.text).toContain('It would not. (INVALID_STEP)')
  })

  test('is sent once for each end, a cancellation included', async () => {
    const flow_id = await server.save([step('wait for-the-end')])
    const notifications = { email_on_completion: 'otto@example.com' }
    const callback_config = { notification_email: 'OTTO@example.com' }
    const options = { notifications, callback_config }
    const { body } = await server.post('/execute-flow-async', { flow_id, options })
    await steps.reached('for-the-end')
    await server.post(`/executions/${body.execution_id}/cancel`, { reason: 'no longer needed' })
    await mailServer.untilMails(1)
    expect(mailServer.mails[0]?.headers.get('subject')).toBe('A test was cancelled')
    await untilQuiet()
    expect(mailServer.mails).toHaveLength(2)
  })

  test('goes to the account itself when no address is given', async () => {
    const options = { notifications: { email_on_completion: true } }
    const { body } = await run('fine', options, 'nora')
    await mailServer.untilMails(1)
    expect([body.warnings, mailServer.mails[0]?.to]).toEqual([[], ['nora@example.com']])

    const { body: unheard } = await run('fine', options, 'otto')
    expect(unheard.warnings).toMatchObject([{ type: 'mail_without_address' }])
    const { body: status } = await server.call(`/execution-status/${unheard.execution_id}`, { as: 'otto' })
    const { body: read } = await server.call(`/executions/${unheard.execution_id}`, { as: 'otto' })
    expect([status.warnings, read.warnings]).toEqual([unheard.warnings, unheard.warnings])
    await untilQuiet()
    expect(mailServer.mails).toHaveLength(2)
  })

  test('is sent for scheduled runs, and for the items of a batch', async () => {
    const whenBad = {
      field: 'content',
      operator: '==',
      value: 'bad',
      action: { type: 'continue', next_step: 'refuse' },
    }
    const flow_id = await server.save([
      {
        id: 'sort',
        type: 'conditional',
        conditions: [whenBad],
        default_action: { type: 'continue', next_step: 'keep' },
      },
      { ...step('fail INVALID_STEP'), id: 'refuse' },
      { ...step('fine'), id: 'keep' },
    ])
    const { body } = await server.post('/schedules', {
      flow_id,
      cron: '0 9 * * *',
      context: { content_batch: ['good', 'bad', 'good'] },
      options: { notifications: { email_on_completion: 'otto@example.com' } },
    })
    await server.post(`/schedules/${body.schedule_id}/run`, {})
    await mailServer.untilMails(1)
    expect(mailServer.mails[0]?.text).toContain('\nItems: 2 of 3 succeeded\n')
  })

  test('has no other recipient, whatever a request contains', async () => {
    for (const address of [
      'a@example.com, evil@example.com',
      'a@example.com\r\nBcc: evil@example.com',
      'invalid',
    ]) {
      const { status, body } = await run('fine', { callback_config: { notification_email: address } })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    }
    const label = 'News Bcc: evil@example.com <!channel>'
    await run(
      'fine',
      { notifications: { email_on_completion: 'otto@example.com', slack_channel: '#ops' } },
      'nora',
      { label },
    )
    await eventually(() => mailServer.mails.length === 1 && slack.messages.length === 1)
    const [mail] = mailServer.mails
    expect([mail?.to, mail?.headers.has('bcc')]).toEqual([['otto@example.com'], false])
    expect(mail?.headers.get('subject')).toBe('News Bcc: evil@example.com <!channel> has completed')
    expect(slack.messages[0]?.body.text).not.toContain('<!channel>')
  })
})

test('without a mail server the options are accepted, and the response says that they have no effect', async () => {
  await using server = await startWorkflowsServer()
  const flow_id = await server.save([step('fine')])
  const options = {
    callback_config: { notification_email: 'otto@example.com' },
    notifications: { slack_channel: '#ops' },
  }
  const { status, body } = await server.post('/execute-flow', { flow_id, options })
  expect([status, body.warnings]).toMatchObject([
    200,
    [{ type: 'mail_not_configured' }, { type: 'slack_not_configured' }],
  ])
  expect(
    await server.post('/execute-flow', { flow_id, options: { notifications: { slack_channel: '' } } }),
  ).toMatchObject({
    status: 400,
  })
})
