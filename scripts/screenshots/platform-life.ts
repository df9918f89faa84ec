import { newsroomFlow, story } from './newsroom.ts'

interface Life {
  /** The flow shown in the editor. */
  readonly flow: string
  /** A completed execution of it. */
  readonly execution: string
  /** A failed execution of another flow. */
  readonly failed: string
}

type Call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<Record<string, unknown>>

const api = '/ai-workflows/api'

/** Fills a new platform with real data: completed, failed and waiting executions, schedules with their runs, a trigger. */
export async function liveALittle(call: Call, archiveUrl: string): Promise<Life> {
  const flow = newsroomFlow(archiveUrl)
  await call('POST', `${api}/flows`, { flow_definition: flow, metadata: { department: 'Newsroom' } })
  const newest = { ...flow, description: `${flow.description} Asks the archive what was written before.` }
  await call('PUT', `${api}/flows/${flow.id}`, {
    flow_definition: newest,
    note: 'Says what it asks the archive.',
  })
  const run = (flowId: string, context: object, options: object = {}) =>
    call('POST', `${api}/execute-flow`, { flow_id: flowId, context, options })
  for (const topic of ['music', 'politics', 'sport']) {
    await run('summarise_and_translate', { content: story, metadata: { topic } })
    await run('content_quality_review', { content: `${topic}: ${story}` })
    await run(flow.id, { content: story, metadata: { topic } })
  }
  await run('moderation_with_routing', { content: 'What a wonderful evening, thank you all.' })
  const failed = await fail(call, archiveUrl)
  await waitForApproval(call)
  const { execution_id } = await run(flow.id, { content: story, metadata: { topic: 'music' } })
  await waitForAnswer(call)
  await schedule(call)
  await call('POST', `${api}/triggers`, {
    kind: 'webhook',
    label: 'New articles of the CMS',
    flow_id: flow.id,
    verification: { type: 'header', header: 'X-Secret' },
    input: { content: '{{body.article.text}}' },
  })
  return { flow: flow.id, execution: String(execution_id), failed }
}

/** Schedules with runs: one that works, one whose service is closed. */
async function schedule(call: Call): Promise<void> {
  const review = await call('POST', `${api}/schedules`, {
    flow_id: 'content_quality_review',
    cron: '0 6 * * 1-5',
    timezone: 'Europe/Berlin',
    label: 'Morning review',
    context: { content: story },
  })
  const feed = await call('POST', `${api}/schedules`, {
    flow_id: 'fetch_the_feed',
    cron: '*/15 * * * *',
    timezone: 'Europe/Berlin',
    label: 'Feed of the agency',
  })
  for (let round = 0; round < 6; round += 1)
    for (const { schedule_id: id } of [review, feed]) await call('POST', `${api}/schedules/${String(id)}/run`)
}

/** A flow that requests a path its service does not have; returns its failed execution. */
async function fail(call: Call, archiveUrl: string): Promise<string> {
  await call('POST', `${api}/flows`, {
    flow_definition: {
      id: 'fetch_the_feed',
      label: 'Fetch the feed',
      steps: [{ id: 'fetch', type: 'external_api', api: { url: `${archiveUrl}/feed`, retry_attempts: 0 } }],
    },
  })
  const { execution_id } = await call('POST', `${api}/execute-flow-async`, {
    flow_id: 'fetch_the_feed',
    context: {},
  })
  return String(execution_id)
}

/** A flow that asks a person. */
async function waitForAnswer(call: Call): Promise<void> {
  await call('POST', `${api}/flows`, {
    flow_definition: {
      id: 'letter_to_readers',
      label: 'Letter to the readers',
      steps: [
        {
          id: 'ask',
          label: 'Ask the editor',
          type: 'human',
          message: 'Shall **{{content}}** be sent?',
          form: {
            type: 'object',
            required: ['approved'],
            properties: {
              approved: { type: 'boolean', title: 'Send it' },
              subject: { type: 'string', title: 'Subject' },
            },
          },
        },
      ],
    },
  })
  await call('POST', `${api}/execute-flow-async`, {
    flow_id: 'letter_to_readers',
    context: { content: 'the letter of May' },
  })
}

/** A flow that waits for an approval. */
async function waitForApproval(call: Call): Promise<void> {
  await call('POST', `${api}/flows`, {
    flow_definition: {
      id: 'press_release',
      label: 'Press release',
      steps: [
        {
          id: 'summarise',
          type: 'ai_prompt',
          prompt: 'Summarise in two sentences:\n\n{{content}}',
          ai_options: { model: 'builtin:text' },
        },
      ],
    },
    metadata: { approval_required: true, department: 'Newsroom' },
  })
  await call('POST', `${api}/execute-flow-async`, { flow_id: 'press_release', context: { content: story } })
}
