import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, migrate } from '#kernel/database'
import { migrationSets } from '../../src/app/migrations.ts'
import { addAccountWithKey, addRole } from '../../test/support/accounts.ts'
import type { Benchmark, Measurement } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { launcherFlags } from '../launcher-flags.ts'
import type { AbuseOptions, AbuseReport } from './messages.ts'

const seconds = Number(process.env['SECONDS'] ?? 8)
/** What happens while the abuse begins is not measured. */
const leadSeconds = 2
const normalAccounts = 9
/** Each of the normal accounts starts an execution so often. */
const everyMs = 500

const alone = 'nine accounts alone'
const besides = 'nine accounts beside an abusive one'

const benchmark: Benchmark = {
  question: `How long do executions of nine accounts take, from start to end, beside one account that uses all it can?`,
  unit: 'ms, p95',
  better: 'lower',
  baseline: alone,

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database, url: databaseUrl } = closing.use(await openBenchDatabase())
    await migrate(database, migrationSets, quiet)
    await addRole(database, 'bench', ['run workflows', 'manage workflows'])
    const addKey = async () => (await addAccountWithKey(database, { roles: ['bench'] })).key
    const keys = await Promise.all(Array.from({ length: normalAccounts }, addKey))
    const abuserKey = await addKey()
    const server = startChild(closing, new URL('./server-process.ts', import.meta.url), {
      DATABASE_URL: databaseUrl,
      TUTTI_SECRET: 'a secret that only this benchmark knows',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      // Limits far above what the accounts reach: the shares alone protect the nine.
      TUTTI_CUSTOM_TIER: '100000000,1000,1000',
    })
    const [{ url }] = (await once(server, 'message')) as [{ url: string }]
    const abuser = startChild(closing, new URL('./abuse-process.ts', import.meta.url), {})
    const [slowPort] = (await once(abuser, 'message')) as [number]
    const [firstKey = ''] = keys
    await saveFlow(url, firstKey, 'short', {
      id: 'greet',
      type: 'data_transform',
      transformations: [{ operation: 'generate_summary', template: 'Hello' }],
    })
    await saveFlow(url, firstKey, 'slow', {
      id: 'call',
      type: 'external_api',
      api: { url: `http://127.0.0.1:${slowPort}/`, method: 'POST' },
    })

    async function measure(isAbused: boolean): Promise<Measurement> {
      const abuse: AbuseOptions = { url, key: abuserKey, starters: 16, readers: 16, streams: 100 }
      if (isAbused) abuser.send(abuse)
      const measured = await Promise.all(keys.map((key, index) => callAsUsual(url, key, index)))
      const times = measured.flat().toSorted((one, other) => one - other)
      const report = isAbused ? await endAbuse(abuser) : undefined
      if (isAbused) await untilIdle(database)
      return {
        value: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
        beside: {
          'p50 ms': times[Math.floor(times.length / 2)] ?? Number.NaN,
          executions: times.length,
          'abusive requests': report?.answered ?? 0,
          refused: report?.refused ?? 0,
        },
      }
    }

    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        { name: alone, measure: () => measure(false) },
        { name: besides, measure: () => measure(true) },
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

function startChild(
  closing: AsyncDisposableStack,
  file: URL,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const child = fork(file.pathname, { execArgv: [...launcherFlags], env: { ...process.env, ...env } })
  closing.defer(async () => {
    const exit = once(child, 'exit')
    child.kill()
    await exit
  })
  return child
}

async function endAbuse(abuser: ChildProcess): Promise<AbuseReport> {
  const reported = once(abuser, 'message')
  abuser.send('end')
  const [report] = (await reported) as [AbuseReport]
  return report
}

/** What the abusive account has started comes to its end before the next measurement. */
async function untilIdle(database: Database): Promise<void> {
  const isBusy = `
    select exists (select from engine_executions where work_state in ('queued', 'running'))
      or exists (select from webhook_lanes where work_state <> 'finished') as busy
  `
  while ((await database.query<{ busy: boolean }>(isBusy))[0]?.busy === true) await delay(200)
}

async function call(url: string, key: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/ai-workflows/api/${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

async function saveFlow(url: string, key: string, id: string, step: object): Promise<void> {
  await call(url, key, 'flows', { flow_definition: { id, label: id, steps: [step] } })
}

/** Starts queued executions at an interval and follows each to its end. Returns how long each took, without those of the first seconds. */
async function callAsUsual(url: string, key: string, index: number): Promise<number[]> {
  const times: number[] = []
  await delay((everyMs / normalAccounts) * index)
  const counted = performance.now() + leadSeconds * 1000
  const end = counted + seconds * 1000
  while (performance.now() < end) {
    const begin = performance.now()
    const response = await call(url, key, 'execute-flow-async', { flow_id: 'short', context: {} })
    const { execution_id: id } = (await response.json()) as { execution_id: string }
    await (await call(url, key, `execution-stream/${id}`)).text()
    const tookMs = performance.now() - begin
    if (begin >= counted) times.push(tookMs)
    await delay(Math.max(0, everyMs - tookMs))
  }
  return times
}

export default benchmark
