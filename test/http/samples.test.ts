import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleFlows } from '../../src/engine/built-in/samples/sample-flows.ts'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { eventually } from '../support/eventually.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'
import {
  copyOfSample,
  type SampleModel,
  type SampleSite,
  startSampleModel,
  startSampleSite,
} from '../support/sample-servers.ts'

const closing = new AsyncDisposableStack()
let server: FlowsPlatform
let site: SampleSite
let model: SampleModel
let mail: MailServer

beforeAll(async () => {
  site = closing.use(await startSampleSite())
  model = closing.use(await startSampleModel())
  mail = closing.use(await startMailServer())
  server = closing.use(
    await openFlowsPlatform(
      {
        addresses: { nora: 'nora@example.com' },
        environment: {
          CLUSTER_NODES: model.url,
          HEALTH_CHECK_INTERVAL: '100ms',
          TUTTI_SMTP_URL: mail.url,
          TUTTI_MAIL_FROM: 'tutti@example.com',
          TUTTI_PUBLIC_URL: 'http://tutti.example',
        },
      },
      {
        prefix: '/ai-workflows/api',
        permissionsOf: { nora: ['run workflows', 'manage workflows'] },
      },
    ),
  )
  await eventually(async () => (await server.models.findModel('auto'))?.provider === 'ollama')
})
afterAll(() => closing.disposeAsync())

const run = (flow_id: string, context: object) => server.post('/execute-flow', { flow_id, context })

/** Copies a sample as a user would, and returns its sample input. */
async function copy(id: string) {
  const { definition, input } = copyOfSample(id, site)
  const saved = await server.post('/flows', { flow_definition: definition })
  expect(saved.body).toMatchObject({ success: true, validation_results: { errors: [] } })
  return { id: definition.id, input, warnings: saved.body.validation_results.warnings }
}

describe('the catalogue', () => {
  test('lists samples as built-in flows of their category, and says that they are samples', async () => {
    const { body } = await server.call('/flows?category=sample')
    expect(body.total).toBe(sampleFlows.length)
    expect(body.flows.map(({ id }: { id: string }) => id)).toEqual(
      sampleFlows.map(({ definition }) => definition.id),
    )
    for (const flow of body.flows)
      expect(flow).toMatchObject({ built_in: true, sample: true, owner_id: null })
    const { body: review } = await server.call('/flows?search=content_quality_review')
    expect(review.flows).toMatchObject([{ built_in: true, sample: false }])
  })

  test('has the sample input, and takes a copy', async () => {
    const { body } = await server.call('/flows/translate_fifty')
    expect(body.metadata.sample_input.content.split('\n')).toHaveLength(50)
    const { sample: _, ...metadata } = body.metadata
    const flow_definition = { ...body.flow_definition, id: 'my_translations', label: 'My translations' }
    const saved = await server.post('/flows', { flow_definition, metadata })
    expect(saved).toMatchObject({ status: 201, body: { status: 'created' } })
    expect((await server.call('/flows/my_translations')).body).toMatchObject({
      built_in: false,
      sample: false,
      metadata: { sample_input: { language: 'German' } },
    })
  })

  test('refuses a sample input that is too large', async () => {
    const flow_definition = { id: 'large', label: 'Large', steps: [{ id: 'a', type: 'wait', duration: 1 }] }
    const metadata = { sample_input: { content: 'x'.repeat(65_536) } }
    const { status, body } = await server.post('/flows', { flow_definition, metadata })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('metadata.sample_input')
  })

  test('recommends no sample', async () => {
    const context = { content_type: 'translation', content_characteristics: { domain: 'moderation' } }
    const { status, body } = await server.post('/recommend-flows', { context })
    expect(status, JSON.stringify(body)).toBe(200)
    const text = JSON.stringify(body)
    expect(text).toContain('"summarise_and_translate"')
    for (const { definition } of sampleFlows) expect(text).not.toContain(`"${definition.id}"`)
  })
})

describe('answer_from_page', () => {
  test('reads the page and answers from it', async () => {
    const { id } = await copy('answer_from_page')
    const { status, body } = await run(id, { question: 'How hot is the water?', page: 'tea' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.result).toEqual({
      found: true,
      answer: '80 degrees',
      quotes: ['Heat the water to 80 degrees.'],
    })
    expect(model.prompts.at(-1)).toBe(
      'Question: How hot is the water?\n\nPage:\nGreen tea\nHeat the water to 80 degrees.\nWait two minutes & enjoy.',
    )
    expect(site.requests.filter(({ path }) => path === '/tea')).toHaveLength(1)
  })

  test('works with its sample input, and a missing page fails with its status', async () => {
    const { input } = copyOfSample('answer_from_page', site)
    expect((await run('my_answer_from_page', input)).body).toMatchObject({ status: 'completed' })
    const { body } = await run('my_answer_from_page', { ...input, page: 'nothing' })
    expect(JSON.stringify(body)).toContain('The API responded with status 404.')
  })
})

describe('moderate_with_review', () => {
  const id = 'moderate_with_review'

  test('a clear case is decided at once', async () => {
    expect((await run(id, { content: 'severity 1 confidence 0.9' })).body).toMatchObject({
      status: 'completed',
      result: 'published: it is harmless',
    })
    expect((await run(id, { content: 'severity 9 confidence 0.9' })).body).toMatchObject({
      result: 'rejected: it is severe',
    })
    expect(mail.mails).toEqual([])
  })

  test.each([
    ['an unsure model', 'severity 1 confidence 0.5', /\*\*Assessment:\*\* It is 1\./],
    ['a case between', 'severity 5 confidence 0.9', /\*\*Assessment:\*\* It is 5\./],
    ['a model that fails', 'broken model', /none, because no model answered .*cannot read this/],
  ])('a person decides: %s', async (_case, content, message) => {
    const mails = mail.mails.length
    const started = await run(id, { content })
    expect(started.status, JSON.stringify(started.body)).toBe(202)
    const { execution_id: executionId, suspended } = started.body
    const task = suspended.waits[0].human_task_id
    await mail.untilMails(mails + 1)
    expect(mail.mails.at(-1)).toMatchObject({ to: ['nora@example.com'] })
    expect((await server.call(`/human-tasks/${task}`)).body.message).toMatch(message)
    const answer = { publish: content !== 'broken model', reason: 'I read it.' }
    expect((await server.post(`/human-tasks/${task}/answer`, { answer })).status).toBe(200)
    await eventually(
      async () => (await server.call(`/executions/${executionId}`)).body.status === 'completed',
      200,
    )
    const { body } = await server.call(`/executions/${executionId}`)
    expect(body.result).toBe(answer.publish ? 'published: I read it.' : 'rejected: I read it.')
    expect(mail.mails).toHaveLength(mails + 1)
  })

  test('it is rejected when no person answers in time', async () => {
    const { body: started } = await run(id, { content: 'severity 4 confidence 0.9' })
    await server.database.query('update engine_waits set wake_at = now() where execution_id = $1', [
      started.execution_id,
    ])
    const read = async () => (await server.call(`/executions/${started.execution_id}`)).body
    await eventually(async () => (await read()).status === 'completed', 200)
    expect((await read()).result).toBe('rejected: No one answered within two days.')
  })
})

describe('translate_fifty', () => {
  test('translates each line of its sample input once', async () => {
    const { input } = copyOfSample('translate_fifty', site)
    const lines = String(input['content']).split('\n')
    const before = model.prompts.length
    const { status, body } = await run('translate_fifty', input)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.result).toMatchObject({ translated: 50, failed: 0 })
    const rows = body.result.csv.trimEnd().split('\r\n')
    expect(rows).toEqual(['line,translation', ...lines.map((line) => `${line},German: ${line}`)])
    expect(model.prompts.slice(before).toSorted()).toEqual(
      lines.map((line) => `Translate into German: ${line}`).toSorted(),
    )
  })

  test('counts a line that fails, and translates the others', async () => {
    const { body } = await run('translate_fifty', {
      language: 'French',
      content: 'Hello\nuntranslatable\nGoodbye',
    })
    expect(body.result).toEqual({
      translated: 2,
      failed: 1,
      csv: 'line,translation\r\nHello,French: Hello\r\nGoodbye,French: Goodbye\r\n',
    })
  })

  test('refuses more lines than fifty', async () => {
    const content = Array.from({ length: 51 }, (_, index) => `Line ${index}`).join('\n')
    const before = model.prompts.length
    const { status, body } = await run('translate_fifty', { language: 'French', content })
    expect({ status, message: body.error.message }).toEqual({
      status: 422,
      message: expect.stringMatching(/51 .*50/),
    })
    expect(model.prompts).toHaveLength(before)
  })
})

describe('csv_to_report', () => {
  test('warns about the missing connection, and fails without it before it sends anything', async () => {
    const { id, input, warnings } = await copy('csv_to_report')
    expect(JSON.stringify(warnings)).toContain('report_api')
    const { body } = await run(id, input)
    expect(JSON.stringify(body)).toContain('SECRET_NOT_FOUND')
    expect(site.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('sends the report of its sample input with the credentials of the connection', async () => {
    const connection = { name: 'report_api', kind: 'bearer', credentials: { token: 'report-0123456789' } }
    const added = await server.post('/connections', { ...connection, allowed_hosts: [`http://${site.host}`] })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    const { input } = copyOfSample('csv_to_report', site)
    const { status, body } = await run('my_csv_to_report', input)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.result).toEqual({ id: 'report-1' })
    const posts = site.requests.filter(({ method }) => method === 'POST')
    expect(posts).toMatchObject([
      {
        path: '/reports',
        headers: {
          authorization: 'Bearer report-0123456789',
          'idempotency-key': `${body.execution_id}/send`,
        },
      },
    ])
    expect(JSON.parse(posts[0]?.body ?? '')).toEqual({
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      total: 189.25,
      rows: [
        { customer: 'Alpha Ltd', region: 'North', orders: 2, total: 140 },
        { customer: 'Gamma, Inc.', region: 'West', orders: 1, total: 42 },
        { customer: 'c4', region: 'unknown', orders: 1, total: 7.25 },
      ],
    })
  })
})
