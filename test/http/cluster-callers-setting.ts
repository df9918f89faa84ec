import { type ClusterServerOptions, createPlatformAccounts } from '#cluster'
import { createLogger } from '#kernel/telemetry'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { call } from './identity-calls.ts'
import { addAccount, basic, type IdentityServer, startIdentityServer } from './identity-server.ts'

export const model = 'gemma3:4b'
export const quick = { model, stream: false }
export const clusterKey = 'correct horse battery'
export const admin = { username: 'ada', password: 'fontainebleau: été', roles: ['administrator'] }
export const nadia = { username: 'nadia', password: 'tutti e soli' }

type Environment = Readonly<Record<string, string>>

/** A platform with accounts, and a node; clusters between them are started by the tests. */
export interface CallersSetting extends AsyncDisposable {
  readonly identity: IdentityServer
  readonly node: ModelNode
  /** Unrestricted keys of nadia and of the administrator. */
  readonly keys: { readonly nadia: string; readonly admin: string }
}

export async function openCallersSetting(): Promise<CallersSetting> {
  await using closing = new AsyncDisposableStack()
  const identity = closing.use(await startIdentityServer())
  const node = closing.use(await startModelNode({ models: [model] }))
  await addAccount(identity.database, admin)
  await addAccount(identity.database, nadia)
  const keys = { nadia: await makeKey(identity, nadia), admin: await makeKey(identity, admin) }
  const opened = closing.move()
  return { identity, node, keys, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export async function makeKey(
  identity: IdentityServer,
  { username, password }: typeof nadia,
  scopes?: readonly string[],
): Promise<string> {
  const { body } = await call<{ key: string }>(identity, 'POST /api/v1/api-keys', {
    as: basic(username, password),
    body: { name: 'a test', ...(scopes !== undefined && { scopes }) },
  })
  return body.key
}

export interface Served extends AsyncDisposable {
  readonly service: TestClusterService
}

type Serve = (setting: CallersSetting, environment?: Environment) => Promise<Served>

/** The service with the accounts in its own process, as in `tutti serve`, or asked over HTTP, as in `tutti cluster`. */
export const placesOfAccounts: readonly [string, Serve][] = [
  [
    'in the same process',
    async ({ identity, node }, environment) => {
      const service = await serve(node, identity.identity.authenticate, environment)
      return { service, [Symbol.asyncDispose]: () => service.close() }
    },
  ],
  [
    'elsewhere',
    async ({ identity, node }, environment) => {
      const log = createLogger({ level: 'silent', format: 'json' })
      const accounts = createPlatformAccounts({ url: identity.url, log, keepMs: 1000 })
      const service = await serve(node, accounts.identify, environment)
      return {
        service,
        async [Symbol.asyncDispose]() {
          await service.close()
          await accounts[Symbol.asyncDispose]()
        },
      }
    },
  ],
]

function serve(
  node: ModelNode,
  identify: ClusterServerOptions['identify'],
  environment: Environment = {},
): Promise<TestClusterService> {
  return startServiceFor([node], { CLUSTER_API_KEY: clusterKey, ...environment }, { identify })
}
