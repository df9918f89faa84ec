import { newsroomFlow, story } from './newsroom.ts'

interface Life {
  /** The flow that is shown in the editor. */
  readonly flow: string
  /** A run of it that came to its end. */
  readonly execution: string
}

type Call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<Record<string, unknown>>

const api = '/ai-workflows/api'

/** Gives a fresh platform something to show: runs that ended well and badly, a schedule, a budget. All of it really happened. */
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
  // The context lacks what the flow asks for: this is how a failure looks.
  await run(flow.id, { content: '', metadata: { topic: 'music' } }).catch(() => {})
  const { execution_id } = await run(flow.id, { content: story, metadata: { topic: 'music' } })
  await call('POST', `${api}/schedules`, {
    flow_id: 'content_quality_review',
    cron: '0 6 * * 1-5',
    timezone: 'Europe/Berlin',
    label: 'Morning review',
    context: { content: story },
  })
  return { flow: flow.id, execution: String(execution_id) }
}
