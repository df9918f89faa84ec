import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { startOpenAiServer } from '../support/openai-server.ts'
import { patience } from '../support/patience.ts'
import { basicAuth, type OpenPlatform, startPlatform, type TestPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** A theme's client: asks now and then, takes `healthy` for online and everything else, failures included, for offline. */
function startPolling(platform: OpenPlatform, everyMs: number) {
  const seen: ('online' | 'offline')[] = []
  const enough = new AbortController()
  const polling = (async () => {
    while (!enough.signal.aborted) {
      const state = await fetch(`${platform.url}/api/llm/health`, { headers: basicAuth(platform) })
        .then(async (answer) => (await answer.json()) as { systemStatus?: { level: string } })
        .then(({ systemStatus }) => (systemStatus?.level === 'healthy' ? 'online' : 'offline'))
        .catch(() => 'offline' as const)
      if (seen.at(-1) !== state) seen.push(state)
      await sleep(everyMs, undefined, { signal: enough.signal }).catch(() => {})
    }
  })()
  return {
    /** Each state that differs from the one before it. */
    seen,
    async [Symbol.asyncDispose]() {
      enough.abort()
      await polling
    },
  }
}

async function configure(platform: OpenPlatform, change: object): Promise<void> {
  const answer = await fetch(`${platform.url}/admin/llm/config`, {
    method: 'PUT',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })
  expect(answer.status).toBe(200)
}

interface Health {
  readonly systemStatus: { readonly level: string; readonly message: string }
  readonly services: readonly object[]
}

async function healthOf(platform: OpenPlatform): Promise<Health> {
  const answer = await fetch(`${platform.url}/api/llm/health`, { headers: basicAuth(platform) })
  return (await answer.json()) as Health
}

/** Has everything looked at now. */
async function probe(platform: OpenPlatform): Promise<Health> {
  const answer = await fetch(`${platform.url}/admin/llm/probe`, {
    method: 'POST',
    headers: basicAuth(platform),
  })
  return (await answer.json()) as Health
}

/** The machine of a test may be busy, and its disk full. */
const whateverTheMachine = {
  timeout_seconds: 9,
  slow_ms: { database: 60_000, queue: 600_000, disk: 60_000, ollama: 60_000, openai: 60_000 },
  disk: { degraded_percent: 100, offline_percent: 100 },
}

test(
  'a polling client sees online, offline while a service is gone, and online again',
  async () => {
    await using openai = await startOpenAiServer({ apiKey: 'sk-test' })
    await using platform = await startPlatform({
      OPENAI_BASE_URL: openai.baseUrl,
      OPENAI_API_KEY: 'sk-test',
    })
    await configure(platform, {
      ...whateverTheMachine,
      interval_seconds: 10,
      damping: { worse: 1, better: 1, flapping_changes: 100 },
    })
    // The first round with these thresholds replaces the stricter results of the start.
    const firstRounds = { timeout: 60_000 * patience, interval: 3_000 }
    await expect.poll(async () => (await probe(platform)).systemStatus.level, firstRounds).toBe('healthy')
    // A client would wait for half a minute; this one may ask 120 times in one.
    await using client = startPolling(platform, 1_000)
    const patiently = { timeout: 60_000 * patience, interval: 100 }
    await expect.poll(() => client.seen, patiently).toEqual(['online'])
    await openai.close()
    await expect.poll(() => client.seen, patiently).toEqual(['online', 'offline'])
    await openai.open()
    await expect.poll(() => client.seen, patiently).toEqual(['online', 'offline', 'online'])
    await platform.process.kill('SIGKILL')
    await expect.poll(() => client.seen, patiently).toEqual(['online', 'offline', 'online', 'offline'])
  },
  300_000 * patience,
)

test(
  'one of two replicas probes, both return the same, and the other takes over when it is killed',
  async () => {
    await using openai = await startOpenAiServer()
    await using database = await createTestDatabase()
    const environment = {
      DATABASE_URL: database.url,
      OPENAI_BASE_URL: openai.baseUrl,
      OPENAI_API_KEY: 'sk-test',
    }
    await using one = await startPlatform(environment)
    await using other = await startPlatform(environment)
    await configure(one, { interval_seconds: 10, timeout_seconds: 5 })
    const lastRound = async () => {
      const [row] = await database.query<{ at: Date; by: string }>('select at, by from status_rounds')
      return { at: row?.at?.getTime() ?? 0, pid: Number(row?.by?.split(':').at(-1)) }
    }
    const patiently = { timeout: 90_000 * patience, interval: 100 }

    const rounds = new Set<number>()
    await expect
      .poll(async () => rounds.add((await lastRound()).at).size, patiently)
      .toBeGreaterThanOrEqual(4)
    const [counted] = await database.query<{ checks: number }>(`
    select coalesce(sum(online + degraded + offline), 0)::int as checks
    from status_history
    where service = 'database' and grain = 'hour'
  `)
    // One check for each round that was seen, the ones before we looked, and one that may have come since.
    expect(counted?.checks).toBeLessThanOrEqual(rounds.size + 2)
    const times = [...rounds].filter((at) => at > 0).toSorted((left, right) => left - right)
    for (const [index, at] of times.entries()) {
      const before = times[index - 1]
      if (index > 1 && before !== undefined) expect(at - before).toBeGreaterThan(6000)
    }
    // Unless a round comes between the two answers.
    await expect
      .poll(async () => {
        const [told, toldElsewhere] = await Promise.all([healthOf(one), healthOf(other)])
        return isDeepStrictEqual(told.services, toldElsewhere.services)
      }, patiently)
      .toBe(true)

    // The probing replica now waits for a response that never comes.
    openai.scriptModels('hang')
    const replicas: readonly TestPlatform[] = [one, other]
    let prober: TestPlatform | undefined
    await expect
      .poll(async () => {
        const [row] = await database.query<{ name: string }>(`
        select worker.name
        from kernel_tasks as task
        join kernel_workers as worker on worker.id = task.work_worker
        where task.name = 'status.probe' and task.work_state = 'running'
          and task.last_started_at < now() - interval '500 milliseconds'
      `)
        prober = replicas.find(({ process }) => process.pid === Number(row?.name.split(':').at(-1)))
        return prober
      }, patiently)
      .toBeDefined()
    const survivor = replicas.find((replica) => replica !== prober)
    const before = await lastRound()
    await prober?.process.kill('SIGKILL')
    openai.scriptModels('usual')
    await expect
      .poll(async () => {
        const { at, pid } = await lastRound()
        return at > before.at && pid === survivor?.process.pid
      }, patiently)
      .toBe(true)
    if (survivor !== undefined) expect((await healthOf(survivor)).services).toHaveLength(9)
  },
  400_000 * patience,
)
