import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { EngineOptions } from '#engine'
import { addCallers, type Callers } from './accounts.ts'
import { type Calls, createCalls } from './calls.ts'
import { type OpenPlatformOptions, openPlatform, type PlatformInProcess } from './platform.ts'
import { sharePlatform } from './shared-platform.ts'

type Environment = Readonly<Record<string, string>>

export type RunStep = Extract<EngineOptions['runStep'], (...run: never[]) => unknown>

/** A platform that runs flows, with accounts, and calls to one of its APIs. */
export interface FlowsPlatform
  extends PlatformInProcess,
    Pick<Calls, 'call' | 'post'>,
    Pick<Callers, 'idOf' | 'headersOf'> {
  /** Saves a flow in the engine and returns its id. */
  save(
    steps: readonly object[],
    more?: { readonly flow?: object; readonly metadata?: object },
  ): Promise<string>
}

/** Overrides of a test: settings by name, limits of the accounts, and parts of the platform. */
export interface FlowsPlatformOptions
  extends Pick<
    OpenPlatformOptions,
    'role' | 'database' | 'seed' | 'runStep' | 'metricsHistory' | 'triggers' | 'wrapLimiter'
  > {
  /** `api` serves requests and leaves the work to other processes. */
  readonly role?: 'all' | 'api'
  readonly concurrentWorkflows?: number
  readonly requestsPerHour?: number
  readonly microDollarsPerDay?: number
  readonly environment?: Environment
  /** E-mail addresses of accounts, by name. */
  readonly addresses?: Readonly<Record<string, string>>
}

interface ApiOptions {
  /** The prefix of the API; a path with another prefix of the platform is used unchanged. */
  readonly prefix: string
  readonly permissionsOf: Readonly<Record<string, readonly string[]>>
}

/** Opens a platform without model providers on this machine, whose flows may call this machine. `nora` sends the requests. */
export async function openFlowsPlatform(
  options: FlowsPlatformOptions,
  { prefix, permissionsOf }: ApiOptions,
): Promise<FlowsPlatform> {
  const { concurrentWorkflows = 20, requestsPerHour = 10_000, microDollarsPerDay = 1_000_000 } = options
  const { environment, addresses = {}, ...overrides } = options
  const platform = await openPlatform(
    {
      TUTTI_CUSTOM_TIER: `${requestsPerHour},${concurrentWorkflows},${microDollarsPerDay / 1_000_000}`,
      TUTTI_EXECUTION_CONCURRENCY: '20',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_SECRET: 'a secret that only tests know, and long enough',
      // Nothing listens there.
      RUNTIME_NODE_URL: 'http://127.0.0.1:9',
      // The folder whose disk is measured.
      TUTTI_DATA_DIR: tmpdir(),
      NODE_ENV: 'test',
      ...environment,
    },
    { maintenance: false, ...overrides },
  )
  const callers = await addCallers(platform.database, { permissionsOf, emails: addresses })
  return flowsPlatformOf(platform, callers, prefix)
}

/** The platform that test files share; it has built-in flows and generous limits. */
export async function shareFlowsPlatform({ prefix, permissionsOf }: ApiOptions): Promise<FlowsPlatform> {
  const platform = await sharePlatform(permissionsOf)
  return flowsPlatformOf(platform, platform.callers, prefix)
}

function flowsPlatformOf(platform: PlatformInProcess, callers: Callers, prefix: string): FlowsPlatform {
  const { idOf, headersOf } = callers
  const calls = createCalls({
    urlOf: (path) => `${platform.url}${path.startsWith('/ai-') ? '' : prefix}${path}`,
    headersOf,
    as: 'nora',
  })
  let flows = 0
  return {
    ...platform,
    ...calls,
    idOf,
    headersOf,
    async save(steps, { flow = {}, metadata } = {}) {
      flows += 1
      const id = `flow_${flows}_${randomUUID().slice(0, 8)}`
      const definition = { id, label: 'A test', steps, ...flow }
      await platform.engine.flows.create(
        { definition, ...(metadata !== undefined && { metadata }) },
        { by: { accountId: null, username: null } },
      )
      return id
    },
  }
}
