import { type RunningProcess, startProcess } from './process.ts'
import { createTestDatabase } from './test-database.ts'

const cli = new URL('../../src/app/cli.ts', import.meta.url)

type Environment = Readonly<Record<string, string>>

/** A whole platform in a process of its own. */
export interface TestPlatform extends AsyncDisposable {
  readonly url: string
  readonly clusterUrl: string
  readonly metricsUrl: string
  readonly admin: { readonly username: string; readonly password: string }
  readonly process: RunningProcess
}

/** Starts `tutti serve` on a database of the test server: `await using platform = await startPlatform()`. */
export async function startPlatform(env: Environment = {}): Promise<TestPlatform> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const platform = closing.use(await serve({ DATABASE_URL: database.url, ...env }))
  const opened = closing.move()
  return { ...platform, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Starts `tutti serve` with its embedded database in this folder. */
export function startPlatformIn(dataDir: string, env: Environment = {}): Promise<TestPlatform> {
  return serve({ DATABASE_URL: '', TUTTI_DATA_DIR: dataDir, ...env })
}

async function serve(env: Environment): Promise<TestPlatform> {
  await using closing = new AsyncDisposableStack()
  const admin = { username: 'admin', password: 'correct horse battery' }
  const running = closing.use(
    await startProcess({
      file: cli,
      args: ['serve'],
      env: {
        PORT: '0',
        CLUSTER_PORT: '0',
        METRICS_PORT: '0',
        DISCOVERY_PORTS: '',
        LOG_LEVEL: 'warn',
        TUTTI_ADMIN_PASSWORD: admin.password,
        ...env,
      },
    }),
  )
  const addressAfter = async (label: string) => {
    const line = await running.waitForLine(new RegExp(`^ *${label} +http`), 30_000)
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
    admin,
    process: running,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The Authorization header of the first administrator. */
export function basicAuth({ admin }: Pick<TestPlatform, 'admin'>): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}` }
}
