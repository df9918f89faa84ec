import type { Locator, Page } from 'playwright-core'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

interface Node {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly weight: number
  readonly requests: number
}

const model = 'gemma3:4b'

/** A console whose cluster has two nodes, and operator actions over the API. */
export interface ClusterUnderTest extends AsyncDisposable {
  readonly tutti: ConsoleUnderTest
  /** The only node that gets requests: tests with requests drain the other. */
  readonly first: ModelNode
  readonly second: ModelNode
  nodeAt(url: string): Promise<Node>
  change(url: string, changes: object): Promise<void>
  /** Requests a completion of the cluster, and waits for it. */
  generate(): Promise<Response>
  /** Restores the initial state. */
  reset(): Promise<void>
}

export async function openCluster(): Promise<ClusterUnderTest> {
  await using opening = new AsyncDisposableStack()
  const first = opening.use(await startModelNode({ models: [model, 'qwen3:8b'], loaded: [model] }))
  const second = opening.use(await startModelNode({ models: [model] }))
  const tutti = opening.use(
    await openConsole({ CLUSTER_NODES: `${first.url},${second.url}`, HEALTH_CHECK_INTERVAL: '300' }),
  )
  const { platform } = tutti
  const opened = opening.move()

  const readNodes = async () =>
    (await administer<{ nodes: Node[] }>(platform, 'GET', '/api/cluster/nodes')).nodes

  async function nodeAt(url: string): Promise<Node> {
    const found = (await readNodes()).find((node) => node.url === url)
    if (found === undefined) throw new Error(`${url} is no node`)
    return found
  }

  async function change(url: string, changes: object): Promise<void> {
    await administer(platform, 'PATCH', `/api/cluster/nodes/${(await nodeAt(url)).id}`, changes)
  }

  return {
    tutti,
    first,
    second,
    nodeAt,
    change,
    generate: () =>
      fetch(`${platform.clusterUrl}/api/generate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, stream: false }),
      }),
    async reset() {
      for (const { id, url } of await readNodes()) {
        if (url === first.url || url === second.url) await change(url, { draining: false, weight: 1 })
        else await administer(platform, 'DELETE', `/api/cluster/nodes/${id}`)
      }
      await administer(platform, 'PUT', '/api/cluster/strategy', { strategy: 'least-connections' })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Waits until the page has loaded and is connected to the cluster events. */
export async function waitForCluster(page: Page): Promise<void> {
  await waitForPage(page, 'Cluster')
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
}

export function rowOf(page: Page, url: string): Locator {
  return page.getByRole('table', { name: 'Nodes' }).getByRole('row').filter({ hasText: url })
}

export async function openNode(page: Page, url: string): Promise<Locator> {
  await rowOf(page, url).getByRole('button', { name: url, exact: true }).click()
  return drawerOf(page, url)
}

export function drawerOf(page: Page, url: string): Locator {
  return page.getByRole('dialog', { name: url, exact: true })
}
