import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, embeddedDatabaseUrl, migrate, retryWhenUnavailable } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { workMigrations } from '#kernel/work'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'
import { engineMigrations } from '../../src/engine/migrations.ts'
import { createDataFolder, type DataFolder } from '../support/data-folder.ts'
import { answerWaits } from './answer-waits.ts'
import { maxPerAccount, startChaosEngine } from './chaos-engine.ts'
import { type ChaosFlow, chaosFlow } from './chaos-flow.ts'
import { type ChaosWorker, type Orphan, startChaosWorker } from './chaos-workers.ts'
import { checkChaos } from './check-chaos.ts'
import { createRandom, pickOne, type Random } from './random.ts'
import { runTable } from './run-table.ts'
import { measureTakeovers, type Takeovers } from './takeovers.ts'
import { waitingFlow } from './waiting-flow.ts'

export interface ChaosOptions {
  readonly executions: number
  readonly kills: number
  readonly seed: number
  /** Between two kills, from and to. */
  readonly killEveryMs: readonly [number, number]
  readonly restartEveryMs: number
  readonly maxRestarts: number
  readonly takeoverWithinMs: number
  readonly onProgress?: (line: string) => void
}

export interface ChaosReport extends Takeovers {
  readonly seconds: number
  readonly restarts: number
  /** Of PostgreSQL, from the signal to the first response. */
  readonly maxAwayMs: number
  /** The number of step starts. */
  readonly runs: number
  /** Steps that started more than once: their worker was killed before they ended, or their execution was suspended. */
  readonly repeatedSteps: number
  readonly maxActiveOfAccount: number
  /** The most executions that were suspended when PostgreSQL was restarted. */
  readonly suspendedAtRestart: number
  /** All problems found. */
  readonly problems: readonly string[]
}

const flows: readonly ChaosFlow[] = [chaosFlow, waitingFlow]
/** Every third execution waits. */
const flowOf = (number: number): ChaosFlow => (number % 3 === 2 ? waitingFlow : chaosFlow)
const accounts = Array.from({ length: 4 }, () => randomUUID())
/** Longer than any takeover takes. */
const withoutProgressMs = 60_000
const restartSignals = ['SIGINT', 'SIGINT', 'SIGQUIT', 'SIGKILL'] as const

/**
 * Three workers and a queue: workers are killed and the database is restarted while they work. Executions come in as many
 * waves as there are kills, so that every kill hits a busy worker.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { executions, kills, seed, onProgress = () => {} } = options
  const random = createRandom(seed)
  await using closing = new AsyncDisposableStack()
  const folder = closing.use(await createDataFolder())
  const database = closing.use(await folder.open())
  await prepare(database, folder)
  const engine = closing.use(
    await startChaosEngine(database, () => Promise.reject(new Error('nothing runs here'))),
  )
  const url = embeddedDatabaseUrl(folder.path)
  const workers = await Promise.all(
    ['ada', 'bob', 'cyd'].map((name) => startChaosWorker(database, { url, name })),
  )
  closing.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  const begunAt = Date.now()
  const orphans: Orphan[] = []
  const restarting = restartAgainAndAgain(folder, database, options, random)
  closing.defer(() => restarting.stop())
  closing.use(answerWaits(database, engine))
  let maxActive = 0
  let added = 0

  async function addWave(upTo: number): Promise<void> {
    const numbers = Array.from({ length: upTo - added }, (_, index) => added + index)
    added = upTo
    await Promise.all(
      numbers.map((number) => {
        const id = randomUUID()
        const what = {
          id,
          flowId: flowOf(number).definition.id,
          flowVersion: 1,
          accountId: accounts[number % accounts.length] ?? '',
          priority: 'normal',
          input: { context: { ...flowOf(number).contextOf(number) }, options: {}, memory: {} },
        } as const
        return retryWhenUnavailable(() => engine.executions.enqueue(what))
      }),
    )
  }

  let restarted: Promise<unknown> = Promise.resolve()
  for (let kill = 1; kill <= kills; kill += 1) {
    await restarted
    await addWave(Math.ceil((executions * kill) / (kills + 1)))
    const victim = pickOne(random, await untilInStep(workers))
    maxActive = Math.max(maxActive, await countActive(database))
    restarted = victim.kill().then((held) => orphans.push(...held))
    await delay(random(...options.killEveryMs))
    if (kill % 10 === 0) onProgress(`${kill} kills, ${restarting.count()} restarts of PostgreSQL`)
  }
  await addWave(executions)
  await restarted
  await restarting.stop()
  const problems = await untilAllOver(database)

  const takeovers = await measureTakeovers(database, orphans)
  const runs = await countRuns(database)
  problems.push(...(await checkChaos(database, executions, flows)))
  const { orphans: left, measured, endedMeanwhile, lostAgain } = takeovers
  if (measured + endedMeanwhile + lostAgain !== left) problems.push('an execution was not taken over')
  if (takeovers.slowestMs > options.takeoverWithinMs) {
    problems.push(`a takeover took ${(takeovers.slowestMs / 1000).toFixed(1)} s`)
  }
  if (maxActive > maxPerAccount) problems.push(`${maxActive} executions of one account were active at once`)
  return {
    ...takeovers,
    ...runs,
    seconds: (Date.now() - begunAt) / 1000,
    restarts: restarting.count(),
    maxAwayMs: restarting.maxAwayMs(),
    suspendedAtRestart: restarting.suspended(),
    maxActiveOfAccount: maxActive,
    problems,
  }
}

async function prepare(database: Database, folder: DataFolder): Promise<void> {
  await migrate(
    database,
    [workMigrations, engineMigrations],
    createLogger({ level: 'error', format: 'json' }),
  )
  await database.withSession((session) => session.query(runTable))
  for (const { definition } of flows) {
    const { problems } = checkFlow(definition)
    if (problems.length > 0) throw new Error(`the flow itself is wrong: ${JSON.stringify(problems)}`)
    await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [definition.id])
    await database.query(
      'insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)',
      [definition.id, JSON.stringify(definition)],
    )
  }
  // For the times of commits; it applies from the next start on.
  await database.query('alter system set track_commit_timestamp = on')
  await folder.killServer('SIGINT')
  await retryWhenUnavailable(() => database.query('select 1'))
}

function restartAgainAndAgain(
  folder: DataFolder,
  database: Database,
  { restartEveryMs, maxRestarts }: ChaosOptions,
  random: Random,
) {
  const stopping = new AbortController()
  let count = 0
  let maxAwayMs = 0
  let suspended = 0
  async function restart(): Promise<void> {
    while (count < maxRestarts) {
      await delay(restartEveryMs, undefined, { signal: stopping.signal })
      suspended = Math.max(suspended, await untilSuspended(database, stopping.signal))
      const begunAt = Date.now()
      await folder.killServer(pickOne(random, restartSignals))
      await retryWhenUnavailable(() => database.query('select 1'))
      maxAwayMs = Math.max(maxAwayMs, Date.now() - begunAt)
      count += 1
    }
  }
  const over = restart().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  over.catch(() => {})
  return {
    count: () => count,
    maxAwayMs: () => maxAwayMs,
    suspended: () => suspended,
    async stop() {
      stopping.abort()
      await over
    },
  }
}

/** The number of suspended executions, as soon as there are some; 0 after a timeout. */
async function untilSuspended(database: Database, signal: AbortSignal): Promise<number> {
  const giveUpAt = Date.now() + 30_000
  while (Date.now() < giveUpAt) {
    const [row] = await retryWhenUnavailable(() =>
      database.query<{ count: number }>(
        `select count(*) from engine_executions where work_state = 'suspended'`,
      ),
    )
    if (row !== undefined && row.count > 0) return row.count
    await delay(20, undefined, { signal })
  }
  return 0
}

/** The workers in the middle of a step, as soon as there are some; all of them after a timeout. */
async function untilInStep(workers: readonly ChaosWorker[]): Promise<readonly ChaosWorker[]> {
  const giveUpAt = Date.now() + 5000
  while (Date.now() < giveUpAt) {
    const inStep = await Promise.all(workers.map((worker) => worker.isInStep()))
    if (inStep.includes(true)) return workers.filter((_, index) => inStep[index])
    await delay(5)
  }
  return workers
}

/** Waits for the last execution, as long as there is any progress. Returns the problem when there is none. */
async function untilAllOver(database: Database): Promise<string[]> {
  let fewest = Number.POSITIVE_INFINITY
  let giveUpAt = 0
  for (;;) {
    const [row] = await retryWhenUnavailable(() =>
      database.query<{ open: number }>(
        `select count(*) as open from engine_executions where work_state <> 'finished'`,
      ),
    )
    const open = row?.open ?? 0
    if (open === 0) return []
    if (open < fewest) giveUpAt = Date.now() + withoutProgressMs
    fewest = Math.min(fewest, open)
    if (Date.now() > giveUpAt) return [`${open} executions are open, and none ended for a minute`]
    await delay(200)
  }
}

async function countActive(database: Database): Promise<number> {
  const [row] = await retryWhenUnavailable(() =>
    database.query<{ most: number }>(`
      select coalesce(max(active), 0) as most from (
        select count(*) as active from engine_executions
        where work_state in ('queued', 'running') and work_due_at < 'infinity' group by account_id
      ) as it
    `),
  )
  return row?.most ?? 0
}

async function countRuns(database: Database): Promise<Pick<ChaosReport, 'runs' | 'repeatedSteps'>> {
  const [row] = await database.query<{ runs: number; repeated: number }>(`
    select coalesce(sum(times), 0)::bigint as runs, count(*) filter (where times > 1) as repeated
    from (select count(*) as times from chaos_runs group by execution_id, step_id) as it
  `)
  return { runs: row?.runs ?? 0, repeatedSteps: row?.repeated ?? 0 }
}
