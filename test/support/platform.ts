import { createLogger } from '#kernel/telemetry'
import { createPlatform, type Platform } from '../../src/app/platform.ts'
import type { PlatformOverrides } from '../../src/app/platform-overrides.ts'
import { readPlatformSettings } from '../../src/app/settings.ts'
import { loopDelayLimitMs } from './loop-delay-limit.ts'
import { type ProcessOptions, type RunningProcess, startProcess } from './process.ts'
import { program } from './program.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

type Environment = Readonly<Record<string, string>>

/** A platform on ports of its own, with its administrator. */
export interface OpenPlatform extends AsyncDisposable {
  readonly url: string
  readonly clusterUrl: string
  readonly metricsUrl: string
  readonly admin: { readonly username: string; readonly password: string }
}

/** A platform in the process of the test. */
export interface PlatformInProcess extends OpenPlatform, Platform {
  readonly database: TestDatabase
}

/** A platform in a process of its own. */
export interface TestPlatform extends OpenPlatform {
  readonly process: RunningProcess
}

export interface OpenPlatformOptions extends Omit<PlatformOverrides, 'database'> {
  /** Default: a database of its own. One that is given is not closed. */
  readonly database?: TestDatabase | undefined
}

const firstAdmin = { username: 'admin', password: 'correct horse battery' }

const environmentOfTests: Environment = {
  TUTTI_LOOP_DELAY_LIMIT: `${loopDelayLimitMs}ms`,
  PORT: '0',
  CLUSTER_PORT: '0',
  METRICS_PORT: '0',
  DISCOVERY_PORTS: '',
  LOG_LEVEL: 'warn',
  TUTTI_ADMIN_PASSWORD: firstAdmin.password,
}

/**
 * Opens the platform of `tutti serve` in the process of the test: `await using platform = await openPlatform()`. A process of its own
 * loads the whole program, which takes most of a second of a processor; it is for tests of the process itself.
 */
export async function openPlatform(
  environment: Environment = {},
  overrides: OpenPlatformOptions = {},
): Promise<PlatformInProcess> {
  if ('DATABASE_URL' in environment) throw new Error('openPlatform takes the database as an option')
  await using closing = new AsyncDisposableStack()
  const database = overrides.database ?? closing.use(await createTestDatabase())
  const settings = readPlatformSettings({
    ...environmentOfTests,
    CLOSE_GRACE: '1s',
    ...environment,
    DATABASE_URL: database.url,
  })
  const log = createLogger({ level: 'silent', format: 'json' })
  const platform = closing.use(
    await createPlatform(settings, { log, watchProcess: false, ...overrides, database }),
  )
  const urls = await platform.listen()
  const opened = closing.move()
  const close = () => opened.disposeAsync()
  return {
    ...platform,
    database,
    url: urls.console ?? '',
    clusterUrl: urls.cluster ?? '',
    metricsUrl: urls.metrics ?? '',
    admin: firstAdmin,
    close,
    [Symbol.asyncDispose]: close,
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
export function startPlatformIn(
  dataDir: string,
  env: Environment = {},
  started: Pick<ProcessOptions, 'file' | 'cwd'> = { file: program },
): Promise<TestPlatform> {
  return serve({ DATABASE_URL: '', TUTTI_DATA_DIR: dataDir, ...env }, started)
}

async function serve(
  env: Environment,
  started: Pick<ProcessOptions, 'file' | 'cwd'> = { file: program },
): Promise<TestPlatform> {
  await using closing = new AsyncDisposableStack()
  const running = closing.use(
    await startProcess({ ...started, args: ['serve'], env: { ...environmentOfTests, ...env } }),
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
