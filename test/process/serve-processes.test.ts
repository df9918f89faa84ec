import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { basicAuth, startPlatformIn, type TestPlatform } from '../support/platform.ts'
import { takePort } from './taken-port.ts'

interface SystemBody {
  readonly workers: readonly { readonly name: string; readonly alive: boolean }[]
}

/** The ids of the processes that work, as their workers name them. */
async function processIds(platform: TestPlatform): Promise<number[]> {
  const response = await fetch(`${platform.url}/api/v1/system`, { headers: basicAuth(platform) })
  const { workers } = (await response.json()) as SystemBody
  return workers.filter(({ alive }) => alive).map(({ name }) => Number(name.split(':').at(-1)))
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const readMetrics = async (url: string, headers = {}) => (await fetch(`${url}/metrics`, { headers })).text()
const servedBy = (metrics: string, name: string) =>
  metrics.includes(
    `tutti_http_request_seconds_count{process="${name}",interface="platform",method="GET",route="/api/v1/events",status="200"}`,
  )

/** Calls the platform on kept connections, as clients do, until the work is done. */
async function underLoad(platform: TestPlatform, work: () => Promise<void>) {
  const done = new AbortController()
  const outcomes = { answered: 0, failed: [] as string[] }
  const headers = basicAuth(platform)
  const callers = Array.from({ length: 4 }, async () => {
    while (!done.signal.aborted) {
      try {
        const response = await fetch(`${platform.url}/api/v1/events?limit=1`, { headers })
        await response.text()
        if (response.ok) outcomes.answered += 1
        else outcomes.failed.push(String(response.status))
      } catch (error) {
        outcomes.failed.push(String((error as Error).cause ?? error))
      }
      await delay(20)
    }
  })
  await work()
  done.abort()
  await Promise.all(callers)
  return outcomes
}

test('several processes serve one port, are replaced without a failed request and come back after a kill', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using platform = await startPlatformIn(folder.path, {
    TUTTI_WORKERS: '2',
    DATABASE_POOL_SIZE: '6',
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
  })
  const before = await processIds(platform)
  expect(before).toHaveLength(2)

  // Both serve, and one page has the metrics of all.
  await eventually(async () => {
    const served = await underLoad(platform, () => delay(100))
    expect(served.failed).toEqual([])
    const metrics = await readMetrics(platform.metricsUrl)
    return servedBy(metrics, '1') && servedBy(metrics, '2')
  })
  expect(await readMetrics(platform.metricsUrl)).toContain('tutti_processes_serving{process="supervisor"} 2')
  expect(await readMetrics(platform.url, basicAuth(platform))).toMatch(/process="1"[^]*process="2"/)
  await expect.poll(async () => (await fetch(`${platform.metricsUrl}/readyz`)).status).toBe(200)
  const lines = platform.process.stdout.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  expect(new Set(lines.map((line) => line.process))).toEqual(new Set(['1', '2', 'supervisor']))

  // SIGUSR2 replaces the processes one after the other.
  const replaced = await underLoad(platform, async () => {
    process.kill(platform.process.pid, 'SIGUSR2')
    await platform.process.waitForLine(/"replaced":"2"/)
  })
  const after = await processIds(platform)
  expect(after).toHaveLength(2)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
  expect(replaced.failed).toEqual([])
  expect(replaced.answered).toBeGreaterThan(20)

  // One that is killed is started again; the other serves meanwhile.
  process.kill(after[0] ?? 0, 'SIGKILL')
  await eventually(async () => {
    const metrics = await readMetrics(platform.metricsUrl)
    return (
      metrics.includes('tutti_process_restarts_total{process="supervisor"} 1') &&
      metrics.includes('tutti_processes_serving{process="supervisor"} 2')
    )
  }, 100)

  // SIGTERM ends all of them, and the database.
  const last = (await processIds(platform)).filter(isRunning)
  expect(await platform.process.kill('SIGTERM')).toMatchObject({ code: 0 })
  expect(last.filter(isRunning)).toEqual([])
  expect(folder.serverPid()).toBeUndefined()
})

test('a port in use ends the start of all processes with one line that says so', async () => {
  await using taken = await takePort()
  const port = String(taken.port)
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  const started = startPlatformIn(folder.path, { TUTTI_WORKERS: '2', PORT: port })
  await expect(started).rejects.toThrow(new RegExp(`Port ${port} is already in use`))
  await expect(started).rejects.toThrow(/Process 1 ended during the start/)
  expect(folder.serverPid()).toBeUndefined()
})
