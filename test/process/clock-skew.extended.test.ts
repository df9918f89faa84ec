import { expect, test } from 'vitest'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createDatabaseClock, declareClockGauge, measureClock } from '../../src/kernel/database/clock.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createWorkflowsApi } from './workflows-api.ts'

const skewed = (skewMs: number) => ({
  CLOCK_SKEW_MS: String(skewMs),
  NODE_OPTIONS: `--import ${new URL('../support/skewed-clock.ts', import.meta.url).href}`,
})
const secret = { TUTTI_SECRET: 'a secret of this test, long enough' }

interface System {
  readonly database: { readonly clock_skew_seconds: number }
}

test('a clock is measured against the database, and corrected from a second on', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const log = createLogger({ level: 'silent', format: 'json' })
  const query = <Row>(text: string) => database.query<Row>(text)
  /** A measurement that was interrupted knows that it is uncertain. */
  const measureQuickly = async (processNow: () => number) => {
    for (;;) {
      const measured = await measureClock(query, processNow)
      if (measured.uncertaintyMs < 100) return measured
    }
  }
  for (const skewMs of [-300_000, -5000, 5000, 300_000]) {
    const processNow = () => Date.now() + skewMs
    const first = await measureQuickly(processNow)
    expect(Math.abs(first.skewMs - skewMs)).toBeLessThanOrEqual(first.uncertaintyMs + 50)
    using metrics = createMetrics({ watchProcess: false })
    const clock = createDatabaseClock({ first, query, log, processNow })
    declareClockGauge(metrics, clock)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1000)
    expect(await metrics.render()).toMatch(new RegExp(`tutti_clock_skew_seconds ${skewMs < 0 ? '-' : ''}\\d`))
    clock.stop()
  }
  const clock = createDatabaseClock({ first: { skewMs: 300, uncertaintyMs: 1 }, query, log })
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(250)
  clock.stop()
})

test(
  'a replica whose clock is 30 s wrong warns, and API keys expire there at the same time as elsewhere',
  async () => {
    await using database = await createTestDatabase()
    await using right = await startPlatform({ DATABASE_URL: database.url, ...secret })
    await using wrong = await startPlatform({ DATABASE_URL: database.url, ...secret, ...skewed(-30_000) })
    await eventually(() =>
      wrong.process.stdout.some((line) =>
        /the clock of this machine is (?:2[6-9]|30)\.\d s behind that of the database/.test(line),
      ),
    )
    const system = (await (
      await fetch(`${wrong.url}/api/v1/system`, { headers: basicAuth(wrong) })
    ).json()) as System
    // Without half the round trip of the comparison, which is uncertain.
    expect(Math.abs(system.database.clock_skew_seconds + 30)).toBeLessThan(4)
    await expect.poll(async () => (await fetch(`${wrong.url}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${wrong.metricsUrl}/metrics`)).text()).toMatch(
      /^tutti_clock_skew_seconds -(?:2[6-9]|30)/m,
    )

    // A key that has expired by the clock of the database is expired at both, also where the clock is behind.
    const expiresAt = new Date(Date.now() + 15_000).toISOString()
    const created = await fetch(`${wrong.url}/api/v1/api-keys`, {
      method: 'POST',
      headers: { ...basicAuth(wrong), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'short', expires_at: expiresAt }),
    })
    expect(created.status).toBe(201)
    const { key } = (await created.json()) as { key: string }
    for (const { url } of [right, wrong]) {
      await eventually(
        async () =>
          (await fetch(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${key}` } })).status ===
          401,
        250,
      )
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt))
      expect(Date.now()).toBeLessThan(Date.parse(expiresAt) + 15_000)
    }
  },
  180_000 * patience,
)

test(
  'from a minute on a replica is not ready and doctor refuses, but what it runs still ends in time',
  async () => {
    await using database = await createTestDatabase()
    await using platform = await startPlatform({ DATABASE_URL: database.url, ...secret, ...skewed(300_000) })
    const ready = await fetch(`${platform.url}/readyz`)
    expect(ready.status).toBe(503)
    const reason = /the clock of this machine is (?:29[6-9]|300)\.\d s ahead of that of the database/
    expect(await ready.json()).toMatchObject({ checks: { clock: expect.stringMatching(reason) as string } })

    const api = createWorkflowsApi(platform)
    const steps = [{ id: 'rest', type: 'wait', duration: '12s' }]
    await api('/flows', { flow_definition: { id: 'resting', label: 'Resting', steps } })
    const startedAt = performance.now()
    const run = await api('/execute-flow-async', { flow_id: 'resting', context: { content: '' } })

    await using doctor = await startProcess({
      file: program,
      args: ['doctor'],
      env: { DATABASE_URL: database.url, ...secret, ...skewed(300_000) },
    })
    expect(await doctor.exit).toMatchObject({ code: 1 })
    expect(doctor.stdout.join('\n')).toMatch(/✗ The clock of this machine is (?:29[6-9]|300)\.\d s ahead/)
    expect(doctor.stdout.join('\n')).toContain('✓ The database server has space to write')

    await eventually(async () => {
      const { status } = await api<{ status: string }>(`/execution-status/${String(run['execution_id'])}`)
      return status === 'completed'
    }, 250)
    expect(performance.now() - startedAt).toBeGreaterThan(11_500)
  },
  180_000 * patience,
)
