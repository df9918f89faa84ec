import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { version } from '../../src/app/version.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { startPlatformIn } from '../support/platform.ts'
import { launcher } from '../support/program.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { expectProblemsNamed } from './doctor-problems.ts'
import { type Outcome, runTutti } from './run-tutti.ts'
import { takePort } from './taken-port.ts'

/** Of the checkout: it runs the sources. The other tests use the bundled program, which starts faster. */
const sources = new URL('../../bin/tutti', import.meta.url).pathname

const tutti = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  runTutti(args, { env })

describe('the command line', () => {
  test('prints its version and its help', async () => {
    expect(await runTutti(['--version'], { env: {}, launcher: sources })).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
    const { code, stdout } = await tutti(['--help'])
    expect(code).toBe(0)
    for (const command of ['serve', 'cluster', 'migrate', 'doctor', 'user', 'key'])
      expect(stdout).toContain(command)
  })

  test.each([
    ['--help', ['--help'], {}],
    ['doctor', ['doctor'], { PORT: '0', CLUSTER_PORT: '0', METRICS_PORT: '0', DISCOVERY_PORTS: '' }],
  ])('%s exits quietly on EPIPE, as with head', async (_, args, env) => {
    await using database = await createTestDatabase()
    const child = spawn(launcher, args, { env: { ...process.env, DATABASE_URL: database.url, ...env } })
    child.stdout.destroy()
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  })

  test.each([
    [['serv'], /tutti: unknown command 'serv'\n\(Did you mean serve\?\)/],
    [['serve', '--role', 'king'], /Allowed choices are all, api, worker/],
    [['serve', '--prot'], /unknown option '--prot'/],
  ])('%j is an error without a stack', async (args, message) => {
    const { code, stderr } = await tutti(args)
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('invalid settings are listed line by line', async () => {
    const { code, stderr } = await tutti(['serve'], {
      PORT: 'x',
      LOG_LEVEL: 'loud',
      CLUSTER_NODES: 'ftp://a',
      TRUSTED_PROXIES: '10.0.0.0/8,nginx',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tutti: PORT must be a whole number/m)
    expect(stderr).toMatch(/^tutti: LOG_LEVEL must be one of/m)
    expect(stderr).toMatch(/^tutti: CLUSTER_NODES /m)
    expect(stderr).toMatch(/^tutti: TRUSTED_PROXIES has "nginx"/m)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a port in use is named, with the variable to change', async () => {
    await using database = await createTestDatabase()
    await using taken = await takePort()
    const { port } = taken
    const { code, stderr } = await tutti(['serve'], {
      DATABASE_URL: database.url,
      PORT: String(port),
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
    })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `tutti: Port ${port} is already in use. Stop what listens there, or set PORT to another port (0 takes any free one).\n`,
    )
  })

  test('migrate updates an empty database, and a second run does nothing', async () => {
    await using database = await createTestDatabase({ start: 'empty' })
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' }
    expect((await tutti(['migrate'], env)).stdout).toMatch(/up to date: \d+ migrations ran/)
    expect((await tutti(['migrate'], env)).stdout).toBe('The database is up to date: nothing to do.\n')
  })
})

describe('doctor', () => {
  test('finds no problem in a fresh folder, and lists its checks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-doctor-'))
    try {
      const { code, stdout } = await tutti(['doctor'], {
        TUTTI_DATA_DIR: join(folder, 'data'),
        PORT: '0',
        CLUSTER_PORT: '0',
        METRICS_PORT: '0',
        DISCOVERY_PORTS: '',
      })
      expect(stdout).toMatch(/✓ Node\.js 24/)
      expect(stdout).toMatch(
        /✓ No platform runs on this data folder; checked with .*DISCOVERY_PORTS.*, and defaults/,
      )
      expect(stdout).toMatch(/✓ .*data will be made at the first start/)
      expect(stdout).toMatch(/✓ PostgreSQL 18.* \(embedded\) runs on this machine/)
      expect(stdout).toMatch(/! No model node found\n {2}→ /)
      expect(stdout).toContain('Tutti can start.')
      expect(code).toBe(0)
      expect(await readdir(folder)).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('beside a platform uses the settings of that platform, as do commands that call it', async () => {
    await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
    const key = `tk_${'k'.repeat(40)}`
    await using platform = await startPlatformIn(folder.path, {
      CLUSTER_NODES: 'http://127.0.0.1:1',
      TUTTI_API_KEY: key,
      TUTTI_SMTP_URL: 'smtp://mailer:hunter2@127.0.0.1:1',
      TUTTI_MAIL_FROM: 'tutti@example.com',
    })
    const env = { DATABASE_URL: '', TUTTI_DATA_DIR: folder.path }
    const { stdout } = await tutti(['doctor'], env)
    expect(stdout).toMatch(
      new RegExp(
        `✓ A platform runs on this data folder \\(process ${platform.process.pid}\\); .*CLUSTER_NODES`,
      ),
    )
    expect(stdout).toContain(`✓ Platform: Tutti is running on port ${new URL(platform.url).port}`)
    expect(stdout).toContain(`✓ Cluster: Tutti is running on port ${new URL(platform.clusterUrl).port}`)
    expect(stdout).toContain(`✓ Metrics: Tutti is running on port ${new URL(platform.metricsUrl).port}`)
    expect(stdout).toContain('! Model node http://127.0.0.1:1 does not answer')
    expect(stdout).toMatch(/! TUTTI_SMTP_URL of that platform is a secret, .*\n {2}→ /)

    const show = ['executions', 'show', randomUUID(), '--key', key]
    expect((await tutti(show, env)).stderr).toMatch(/^tutti: There is no execution/)
    const file = join(folder.path, 'running.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).not.toMatch(/hunter2|kkkk/)
    await platform.process.kill('SIGTERM')
    expect(await readdir(folder.path)).not.toContain('running.json')
  })

  test('names the problem and the remedy', () => expectProblemsNamed())
})
