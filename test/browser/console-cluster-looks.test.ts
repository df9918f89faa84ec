import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelNode } from '../support/model-node.ts'
import { administer } from './administer.ts'
import { type ClusterUnderTest, openCluster, openNode, rowOf, waitForCluster } from './cluster-under-test.ts'
import { openConsole } from './console-under-test.ts'
import { readSidewaysScroll, waitForStillness } from './in-page.ts'

let cluster: ClusterUnderTest
beforeAll(async () => {
  cluster = await openCluster()
  await cluster.change(cluster.second.url, { draining: true })
  await administer(cluster.tutti.platform, 'POST', '/api/cluster/nodes', {
    url: 'http://127.0.0.1:9/behind/a/prefix/that/is/rather/long',
  })
  expect((await cluster.generate()).status).toBe(200)
}, 60_000)
afterAll(() => cluster[Symbol.asyncDispose]())

async function findViolations(page: Page): Promise<readonly string[]> {
  await waitForStillness(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

// The narrowest of each way the table can be, and some in between.
test.each([1280, 1040, 1000, 800, 560, 360])(
  'on a screen %d pixels wide nothing is cut off, and nothing scrolls sideways',
  async (width) => {
    await using visit = await cluster.tutti.visit({ path: '/cluster', viewport: { width, height: 900 } })
    const { page } = visit
    await waitForCluster(page)
    await rowOf(page, cluster.first.url).getByText('first byte').waitFor()
    expect(await readSidewaysScroll(page)).toBe(0)
    const table = await page.getByRole('table', { name: 'Nodes' }).boundingBox()
    const ground = await page.getByRole('region', { name: 'Nodes' }).boundingBox()
    expect(rightOf(table)).toBeLessThanOrEqual(rightOf(ground))
    expect(rightOf(ground)).toBeLessThanOrEqual(width)
  },
)

function rightOf(box: { readonly x: number; readonly width: number } | null): number {
  if (box === null) throw new Error('it is not shown')
  return box.x + box.width
}

test.each(['light', 'dark'] as const)(
  'axe finds nothing wrong with nodes at work when it is %s',
  async (colorScheme) => {
    await using visit = await cluster.tutti.visit({ path: '/cluster', colorScheme, reducedMotion: 'reduce' })
    const { page } = visit
    await waitForCluster(page)
    await rowOf(page, cluster.first.url).getByText('first byte').waitFor()
    expect(await findViolations(page)).toEqual([])
    const drawer = await openNode(page, cluster.first.url)
    await drawer.getByText('First byte', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
  },
)

test('without any node the page says how to get one, and the first one appears by itself', async () => {
  await using empty = await openConsole()
  await using visit = await empty.visit({ path: '/cluster', viewport: { width: 360, height: 740 } })
  const { page } = visit
  await waitForCluster(page)
  await page.getByText(/There is no model node yet\. Start Ollama.*CLUSTER_NODES/).waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add your first node' }).click()
  await page.getByRole('dialog', { name: 'Add node' }).waitFor()
  await page.keyboard.press('Escape')
  await using node = await startModelNode()
  await administer(empty.platform, 'POST', '/api/cluster/nodes', { url: node.url })
  await rowOf(page, node.url).getByText('Healthy').waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
})
