import { createLogger } from '#kernel/telemetry'
import * as app from '../../src/app/main.ts'
import { readPlatformSettings } from '../../src/app/settings.ts'
import { type RunningProcess, startProcess } from './process.ts'
import { createTestDatabase } from './test-database.ts'

const cli = new URL('../../src/app/cli.ts', import.meta.url)

type Environment = Readonly<Record<string, string>>

/** A whole platform, on ports of its own. */
export interface OpenPlatform extends AsyncDisposable {
  readonly url: string
  readonly clusterUrl: string
  readonly metricsUrl: string
  readonly admin: { readonly username: string; readonly password: string }
}

/** A whole platform in a process of its own. */
export interface TestPlatform extends OpenPlatform {
  readonly process: RunningProcess
}

const firstAdmin = { username: 'admin', password: 'correct horse battery' }

const environmentOfTests: Environment = {
  PORT: '0',
  CLUSTER_PORT: '0',
  METRICS_PORT: '0',
  DISCOVERY_PORTS: '',
  LOG_LEVEL: 'warn',
  TUTTI_ADMIN_PASSWORD: firstAdmin.password,
}

/**
 * Opens what `tutti serve` opens, in the process of the test: `await using platform = await openPlatform()`. A process of its
 * own loads everything anew, three seconds of a processor, and is for tests that look at the process.
 */
export async function openPlatform(env: Environment = {}): Promise<OpenPlatform> {
  await using closing = new AsyncDisposableStack()
  const databaseUrl = env['DATABASE_URL'] ?? closing.use(await createTestDatabase()).url
  const settings = readPlatformSettings({ ...environmentOfTests, ...env, DATABASE_URL: databaseUrl })
  const log = createLogger({ level: 'silent', format: 'json' })
  const platform = await app.startPlatform({ settings, role: 'all', log, onFirstAccount: () => {} })
  closing.defer(() => platform.close())
  const { urls } = platform
  const opened = closing.move()
  return {
    url: urls.console ?? '',
    clusterUrl: urls.cluster ?? '',
    metricsUrl: urls.metrics,
    admin: firstAdmin,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Starts `tutti serve` on a database of the test server: `await using platform = await startPlatform()`. */
export async function startPlatform(env: Environment = {}): Promise<TestPlatform> {
  await using closing = new AsyncDisposableStack()
  const databaseUrl = env['DATABASE_URL'] ?? closing.use(await createTestDatabase()).url
  const platform = closing.use(await serve({ ...env, DATABASE_URL: databaseUrl }))
  const opened = closing.move()
  return { ...platform, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Starts `tutti serve` with its embedded database in this folder. */
export function startPlatformIn(dataDir: string, env: Environment = {}): Promise<TestPlatform> {
  return serve({ DATABASE_URL: '', TUTTI_DATA_DIR: dataDir, ...env })
}

async function serve(env: Environment): Promise<TestPlatform> {
  await using closing = new AsyncDisposableStack()
  const running = closing.use(
    await startProcess({ file: cli, args: ['serve'], env: { ...environmentOfTests, ...env } }),
  )
  const addressAfter = async (label: string) => {
    const line = await running.waitForLine(new RegExp(`^ *${label} +http`))
    return line.trim().split(/\s+/).at(-1) ?? ''
  }
  const url = await addressAfter('Console')
  const clusterUrl = await addressAfter('Model cluster')
  const metricsUrl = (await addressAfter('Metrics')).replace(/\/metrics$/, '')
  const opened = closing.move()
  return {
    url,
    clusterUrl,
    metricsUrl,
    admin: firstAdmin,
    process: running,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The Authorization header of the first administrator. */
export function basicAuth({ admin }: Pick<OpenPlatform, 'admin'>): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}` }
}
