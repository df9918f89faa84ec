import { expect, test } from 'vitest'
import { startMailServer } from '../database/notifications-mail-server.ts'
import { addCallers } from '../support/accounts.ts'
import { createCalls } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { startPlatform, type TestPlatform } from '../support/platform.ts'
import { copyOfSample, startSampleModel, startSampleSite } from '../support/sample-servers.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** Posts, waits for a time, waits for an event, and posts again. */
const waitingFlow = (url: string) => ({
  id: 'waits',
  label: 'Waits',
  steps: [
    { id: 'before', type: 'external_api', api: { url: `${url}/before`, method: 'POST', body: {} } },
    { id: 'rest', type: 'wait', duration: '1h', dependencies: ['before'] },
    {
      id: 'between',
      type: 'external_api',
      api: { url: `${url}/between`, method: 'POST', body: {} },
      dependencies: ['rest'],
    },
    {
      id: 'paid',
      type: 'wait_for_event',
      event: 'order.paid',
      correlation_key: '{{order}}',
      dependencies: ['between'],
    },
    {
      id: 'after',
      type: 'external_api',
      api: { url: `${url}/after`, method: 'POST', body: { amount: '{{steps.paid.data.amount}}' } },
      dependencies: ['paid'],
    },
  ],
})

test(
  'a kill -9 in the middle of each sample, twice, repeats no finished side effect',
  async () => {
    await using site = await startSampleSite()
    await using model = await startSampleModel()
    await using mail = await startMailServer()
    await using database = await createTestDatabase()
    const callers = await addCallers(database, {
      permissionsOf: { nora: ['run workflows', 'manage workflows'] },
      emails: { nora: 'nora@example.com' },
    })
    const environment = {
      DATABASE_URL: database.url,
      TUTTI_SECRET: 'a secret that only tests know, and long enough',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_CUSTOM_TIER: '100000,50,1000',
      CLUSTER_NODES: model.url,
      HEALTH_CHECK_INTERVAL: '200ms',
      TUTTI_SMTP_URL: mail.url,
      TUTTI_MAIL_FROM: 'tutti@example.com',
    }
    let platform: TestPlatform
    const api = createCalls({
      urlOf: (path) => `${platform.url}/ai-workflows/api${path}`,
      headersOf: callers.headersOf,
      as: 'nora',
    })
    const read = async (id: string) => (await api.call(`/executions/${id}`)).body
    const translate = copyOfSample('translate_fifty', site)
    const lines = String(translate.input['content']).split('\n')
    const prompts = lines.map((line) => `Translate into German: ${line}`)
    /** Holds the question about the page, and the translations from a line on. */
    const holdFrom = (line: number) =>
      model.hold((prompt) => prompt.startsWith('Question:') || prompts.indexOf(prompt) >= line)

    async function start(flow: { readonly id: string }, context: object): Promise<string> {
      const saved = await api.post('/flows', { flow_definition: flow })
      expect(saved.status, saved.text).toBe(201)
      const started = await api.post('/execute-flow-async', { flow_id: flow.id, context })
      expect(started.status, started.text).toBe(202)
      return started.body.execution_id as string
    }
    const countOf = (path: string) => site.requests.filter((request) => request.path === path).length
    const waitsOf = async (id: string) =>
      ((await api.call(`/execution-status/${id}`)).body.suspended?.waits ?? []) as readonly {
        readonly step_id: string
        readonly human_task_id?: string
      }[]
    /** The outcomes of items before this one are stored. */
    const untilItem = (id: string, item: number) =>
      eventually(async () => {
        const { steps } = (await api.call(`/executions/${id}/trace`)).body
        return (
          steps.find((step: { step_id: string }) => step.step_id === 'translate_all')?.nested?.completed ===
          item
        )
      }, 200)

    const timesAsked = () => prompts.map((prompt) => model.prompts.filter((asked) => asked === prompt).length)
    /** The five items from this one on have reached the model, which holds them. */
    const untilHeld = (item: number) =>
      eventually(() =>
        timesAsked()
          .slice(item, item + 5)
          .every((times) => times === 1),
      )

    // The first life: everything stops in the middle.
    holdFrom(20)
    site.hold('/reports')
    platform = await startPlatform(environment)
    await using first = platform
    await eventually(async () => {
      const { body } = await api.post('/flows/validate', { flow_definition: translate.definition })
      return body.validation_results?.warnings.length === 0
    }, 300)
    await api.post('/connections', {
      name: 'report_api',
      kind: 'bearer',
      credentials: { token: 'report-0123456789' },
      allowed_hosts: [`http://${site.host}`],
    })
    const csv = copyOfSample('csv_to_report', site)
    const ids = {
      page: await start(copyOfSample('answer_from_page', site).definition, { question: 'Hot?', page: 'tea' }),
      review: await start(copyOfSample('moderate_with_review', site).definition, {
        content: 'severity 5 confidence 0.9',
      }),
      translate: await start(translate.definition, translate.input),
      csv: await start(csv.definition, csv.input),
      waits: await start(waitingFlow(site.url), { order: 'order-7' }),
    }
    await untilItem(ids.translate, 20)
    await untilHeld(20)
    await eventually(() => model.prompts.some((prompt) => prompt.startsWith('Question:')), 100)
    await eventually(() => countOf('/reports') === 1, 100)
    await eventually(async () => (await waitsOf(ids.review))[0]?.step_id === 'ask', 200)
    await eventually(async () => (await waitsOf(ids.waits))[0]?.step_id === 'rest', 200)
    await mail.untilMails(1)
    // A mail that has arrived is sent again as long as it is not stored as delivered.
    await eventually(
      async () => (await database.query(`select from notices where state = 'delivered'`)).length === 1,
    )
    await first.process.kill('SIGKILL')

    // The second life: the items from 20 on, the question and the report run again; the wait ends, and the event does not come yet.
    holdFrom(35)
    platform = await startPlatform(environment)
    await using second = platform
    await database.query('update engine_waits set wake_at = now() where execution_id = $1', [ids.waits])
    await untilItem(ids.translate, 35)
    await untilHeld(35)
    await eventually(async () => (await waitsOf(ids.waits))[0]?.step_id === 'paid', 200)
    await eventually(() => countOf('/reports') === 2, 100)
    await eventually(() => model.prompts.filter((prompt) => prompt.startsWith('Question:')).length === 2, 100)
    await second.process.kill('SIGKILL')

    // The third life: everything goes on to its end.
    model.hold(() => false)
    site.hold(undefined)
    platform = await startPlatform(environment)
    await using third = platform
    const [task] = await waitsOf(ids.review)
    await api.post(`/human-tasks/${task?.human_task_id}/answer`, {
      answer: { publish: true, reason: 'I read it.' },
    })
    const event = { name: 'order.paid', correlation_key: 'order-7', data: { amount: 12 } }
    expect((await api.post('/events', event)).body).toMatchObject({ matched: 1 })
    for (const id of Object.values(ids)) {
      await eventually(async () => !['queued', 'running'].includes((await read(id)).status), 300)
      expect(await read(id)).toMatchObject({ execution_id: id, status: 'completed' })
    }
    expect((await read(ids.page)).result).toMatchObject({ found: true })
    expect((await read(ids.review)).result).toBe('published: I read it.')
    expect((await read(ids.translate)).result).toMatchObject({ translated: 50, failed: 0 })
    expect(third.process.stderr.filter((line) => /"level":(?:50|60)/.test(line))).toEqual([])

    // What was finished before a kill happened once, and what a kill interrupted again.
    expect({ tea: countOf('/tea'), reports: countOf('/reports') }).toEqual({ tea: 1, reports: 3 })
    const reports = site.requests.filter(({ path }) => path === '/reports')
    expect(new Set(reports.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set([`${ids.csv}/send`]),
    )
    expect(new Set(reports.map(({ body }) => body)).size).toBe(1)
    for (const path of ['/before', '/between', '/after']) expect([path, countOf(path)]).toEqual([path, 1])
    expect(mail.mails).toHaveLength(1)
    expect(model.prompts.filter((prompt) => prompt.includes('severity 5'))).toHaveLength(1)
    // Five items were open at each kill: 20 to 24, and 35 to 39.
    expect(timesAsked()).toEqual(prompts.map((_, index) => ([4, 7].includes(Math.floor(index / 5)) ? 2 : 1)))
  },
  400_000 * patience,
)
