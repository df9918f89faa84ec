import { type Answer, send } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import type { WorkflowsServer } from './workflows-server.ts'

/** A webhook as the response to its creation describes it. */
export interface CreatedHook {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** Creates a trigger, and throws when it is refused. */
export async function createHook(
  server: WorkflowsServer,
  flow_id: string,
  more: object,
  as = 'nora',
): Promise<CreatedHook> {
  const body = { kind: 'webhook', flow_id, verification: { type: 'none' }, ...more }
  const answer = await server.post('/triggers', body, { as })
  if (answer.status !== 201) throw new Error(answer.text)
  return { id: answer.body.trigger_id, url: answer.body.url, secret: answer.body.secret }
}

/** Sends a request as another system does. */
export function sendTo(
  { url }: Pick<CreatedHook, 'url'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(url, { method: 'POST', body, headers })
}

export const untilEnd = (server: WorkflowsServer, id: string) =>
  eventually(async () => (await server.engine.executions.read(id))?.finishedAt != null)

/** The executions that a trigger started, the oldest first. */
export async function executionsOf(server: WorkflowsServer, triggerId: string) {
  const { executions } = await server.engine.executions.list({
    triggerId,
    order: 'oldest',
    limit: 200,
    offset: 0,
  })
  return executions
}

/** Runs the recurring task that reads the event log, in place of the schedule of the platform, and waits until every account had its turns. */
export async function followEvents({ triggers, database }: WorkflowsServer): Promise<void> {
  await triggers.tasks.find(({ name }) => name === 'triggers.events')?.run(new AbortController().signal)
  const due = `
    select 1 from trigger_followers
    where work_state = 'running' or (work_state = 'queued' and work_due_at <= now())
  `
  await eventually(async () => (await database.query(due)).length === 0)
}
