import { expect, test } from 'vitest'
import { type Heard, openStream } from '../http/streams-client.ts'
import { headersOf } from '../support/accounts.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { createTestDatabase } from '../support/test-database.ts'

const file = new URL('./streams-server-process.ts', import.meta.url)
const cuts = 100
const headers = headersOf('nora')

interface Server {
  readonly url: string
  readonly process: RunningProcess
}

/** Processes that serve the same database; the one that is asked may be killed and another take its place. */
async function startServers(databaseUrl: string, closing: AsyncDisposableStack) {
  async function start(): Promise<Server> {
    const started = closing.use(await startProcess({ file, env: { DATABASE_URL: databaseUrl } }))
    const line = await started.waitForLine(/^ready/, 60_000)
    return { url: line.split(' ')[1] ?? '', process: started }
  }
  const servers = [await start(), await start()]
  return {
    some: () => servers[Math.floor(Math.random() * servers.length)]?.url ?? '',
    /** Only once the other is there. */
    async replace() {
      servers.push(await start())
      await servers.shift()?.process.kill('SIGKILL')
    },
    stable: () => servers.at(-1)?.url ?? '',
  }
}

interface CutReaderOptions {
  readonly address: () => string
  readonly isLast: (message: Heard) => boolean
  readonly onCut: (count: number) => void
  /** It knows a place to go on from: whatever happens from now on has to be heard. */
  readonly onPlace?: () => void
}

/** Reads a stream whose connection is broken again and again, as a browser would, and answers all it heard. */
async function readWithCuts({ address, isLast, onCut, onPlace }: CutReaderOptions): Promise<Heard[]> {
  const heard: Heard[] = []
  let lastId: string | undefined
  for (let cut = 0; ; ) {
    const known = lastId === undefined ? {} : { 'last-event-id': lastId }
    const stream = await openStream(address(), { ...headers, ...known }).catch(() => undefined)
    if (stream === undefined) continue
    const few = Math.floor(Math.random() * 3)
    const moment = Math.random() * 80
    const patience = setTimeout(() => stream.cut(), cut < cuts ? moment : 60_000)
    let count = 0
    const isEnough = (message: Heard) => isLast(message) || (cut < cuts && (count += 1) > few)
    await stream.until(isEnough).catch(() => undefined)
    clearTimeout(patience)
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

test('readers that are cut a hundred times get each event once and in order, though processes die', {
  timeout: 240_000,
}, async () => {
  await using database = await createTestDatabase()
  await using processes = new AsyncDisposableStack()
  const servers = await startServers(database.url, processes)

  async function saveFlow(id: string, steps: readonly object[]) {
    const { status } = await fetchWithinRate(`${servers.stable()}/ai-workflows/api/flows`, {
      method: 'POST',
      headers: { ...headersOf('mara'), 'content-type': 'application/json' },
      body: JSON.stringify({ flow_definition: { id, label: id, description: id, version: '1', steps } }),
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
    Array.from({ length: 70 }, (_, index) => ({
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
    address: () => `${servers.some()}/ai-orchestra/api/live-stream`,
    isLast: ({ event, data }) => event === 'workflow_completed' && data.execution_id === lastRun,
    onCut: () => {},
    onPlace: begun.resolve,
  })
  await begun.promise
  const talk = await run('talk')
  const nods = (async () => {
    for (let index = 0; index < 40; index += 1) await run('nod')
  })()
  const told = await readWithCuts({
    address: () => `${servers.some()}/ai-workflows/api/execution-stream/${talk}`,
    isLast: ({ event }) => event === 'execution_completed',
    onCut(count) {
      if (count === 30 || count === 60) replacing = replacing.then(() => servers.replace())
    },
  })
  await Promise.all([nods, replacing])
  lastRun = await run('nod')
  const seen = await live

  const durable = told.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
  // Numbers of a journal have no gaps, and its last event is the last of the stream.
  expect(durable).toEqual(Array.from({ length: durable.length }, (_, index) => index + 1))
  expect(durable.length).toBeGreaterThan(140)
  expect(told.some(({ event }) => event === 'token')).toBe(true)

  const kept = seen
    .filter(({ event }) => event !== 'status_update')
    .map(({ id, event }) => ({ id: Number(id), event }))
  const rows = await database.query<{ id: number; event: string }>(
    `select id, substring(type from 'orchestra.(.*)') as event from kernel_events where type like 'orchestra.%' order by id`,
  )
  // The stream began when nothing had been told yet.
  expect(kept).toEqual(rows.filter(({ id }) => id <= (kept.at(-1)?.id ?? 0)))
  expect(kept.filter(({ event }) => event === 'workflow_started')).toHaveLength(42)
})
