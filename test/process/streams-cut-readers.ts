import { expect } from 'vitest'
import { type Heard, openStream } from '../http/streams-client.ts'
import { headersOf } from '../support/accounts.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { patience } from '../support/patience.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { letWorkerTimeOut } from './killed-workers.ts'

const file = new URL('./streams-server-process.ts', import.meta.url)
const headers = headersOf('nora')

interface Server {
  readonly url: string
  readonly process: RunningProcess
}

/** Two processes that serve the same database, and others that take the place of killed ones. */
async function startServers(database: TestDatabase, spares: number, closing: AsyncDisposableStack) {
  async function start(): Promise<Server> {
    const started = closing.use(await startProcess({ file, env: { DATABASE_URL: database.url } }))
    const line = await started.waitForLine(/^ready/)
    return { url: line.split(' ')[1] ?? '', process: started }
  }
  const [first, second, ...rest] = await Promise.all(Array.from({ length: 2 + spares }, start))
  const servers = [first, second].filter((server) => server !== undefined)
  return {
    some: () => servers[Math.floor(Math.random() * servers.length)]?.url ?? '',
    async replace() {
      servers.push(...rest.splice(0, 1))
      const killed = servers.shift()?.process
      if (killed === undefined) return
      await killed.kill('SIGKILL')
      await letWorkerTimeOut(database, killed)
    },
    stable: () => servers.at(-1)?.url ?? '',
  }
}

interface CutReaderOptions {
  readonly cuts: number
  readonly address: () => string
  readonly isLast: (message: Heard) => boolean
  readonly onCut: (count: number) => void
  /** It knows a place to go on from: whatever happens from now on has to be heard. */
  readonly onPlace?: () => void
}

/** Reads a stream whose connection is broken again and again, as a browser would, and answers all it heard. */
async function readWithCuts({ cuts, address, isLast, onCut, onPlace }: CutReaderOptions): Promise<Heard[]> {
  const heard: Heard[] = []
  let lastId: string | undefined
  for (let cut = 0; ; ) {
    const known = lastId === undefined ? {} : { 'last-event-id': lastId }
    const stream = await openStream(address(), { ...headers, ...known }).catch(() => undefined)
    if (stream === undefined) continue
    const few = Math.floor(Math.random() * 3)
    const moment = Math.random() * 80
    const cutting = setTimeout(() => stream.cut(), cut < cuts ? moment : 60_000 * patience)
    let count = 0
    const isEnough = (message: Heard) => isLast(message) || (cut < cuts && (count += 1) > few)
    await stream.until(isEnough).catch(() => undefined)
    clearTimeout(cutting)
    stream.cut()
    await stream.over
    heard.push(...stream.heard)
    lastId = stream.heard.findLast(({ id }) => id !== undefined)?.id ?? lastId
    if (lastId !== undefined) onPlace?.()
    if (stream.heard.some(isLast)) return heard
    cut += 1
    onCut(cut)
  }
}

interface CutScene {
  /** How often each reader is cut. */
  readonly cuts: number
  /** After these cuts one of the processes is killed, and another takes its place. */
  readonly killsAfter: readonly number[]
  /** Steps of the execution whose stream is read. */
  readonly steps: number
  /** Short executions meanwhile. */
  readonly nods: number
}

/** Expects that readers of both streams get each event once and in order. */
export async function expectEachEventOnce({ cuts, killsAfter, steps, nods }: CutScene): Promise<void> {
  await using database = await createTestDatabase()
  await using processes = new AsyncDisposableStack()
  const servers = await startServers(database, killsAfter.length, processes)

  async function saveFlow(id: string, flowSteps: readonly object[]) {
    const { status } = await fetchWithinRate(`${servers.stable()}/ai-workflows/api/flows`, {
      method: 'POST',
      headers: { ...headersOf('mara'), 'content-type': 'application/json' },
      body: JSON.stringify({
        flow_definition: { id, label: id, description: id, version: '1', steps: flowSteps },
      }),
    })
    expect(status).toBe(201)
  }
  async function run(flowId: string): Promise<string> {
    const answer = await fetchWithinRate(`${servers.stable()}/ai-workflows/api/execute-flow-async`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ flow_id: flowId }),
    })
    expect(answer.status).toBe(202)
    return ((await answer.json()) as { execution_id: string }).execution_id
  }

  await saveFlow(
    'talk',
    Array.from({ length: steps }, (_, index) => ({
      id: `step_${index}`,
      type: 'ai_prompt',
      label: 'Talk',
      prompt: 'speak 4 25',
      dependencies: index === 0 ? [] : [`step_${index - 1}`],
    })),
  )
  await saveFlow('nod', [{ id: 'only', type: 'ai_prompt', label: 'Nod', prompt: 'nod' }])

  let replacing = Promise.resolve()
  let lastRun: string | undefined
  const begun = Promise.withResolvers<void>()
  const live = readWithCuts({
    cuts,
    address: () => `${servers.some()}/ai-orchestra/api/live-stream`,
    isLast: ({ event, data }) => event === 'workflow_completed' && data.execution_id === lastRun,
    onCut: () => {},
    onPlace: begun.resolve,
  })
  await begun.promise
  const talk = await run('talk')
  const nodding = (async () => {
    for (let index = 0; index < nods; index += 1) await run('nod')
  })()
  const told = await readWithCuts({
    cuts,
    address: () => `${servers.some()}/ai-workflows/api/execution-stream/${talk}`,
    isLast: ({ event }) => event === 'execution_completed',
    onCut(count) {
      if (killsAfter.includes(count)) replacing = replacing.then(() => servers.replace())
    },
  })
  await Promise.all([nodding, replacing])
  lastRun = await run('nod')
  const seen = await live

  const durable = told.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
  // Numbers of a journal have no gaps, and its last event is the last of the stream.
  expect(durable).toEqual(Array.from({ length: durable.length }, (_, index) => index + 1))
  expect(durable.length).toBeGreaterThan(2 * steps)
  expect(told.some(({ event }) => event === 'token')).toBe(true)

  const kept = seen
    .filter(({ event }) => event !== 'status_update')
    .map(({ id, event }) => ({ id: Number(id), event }))
  const rows = await database.query<{ id: number; event: string }>(
    `select id, substring(type from 'orchestra.(.*)') as event from kernel_events where type like 'orchestra.%' order by id`,
  )
  // The stream began when nothing had been told yet.
  expect(kept).toEqual(rows.filter(({ id }) => id <= (kept.at(-1)?.id ?? 0)))
  expect(kept.filter(({ event }) => event === 'workflow_started')).toHaveLength(nods + 2)
}
