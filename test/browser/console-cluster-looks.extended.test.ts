import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelNode } from '../support/model-node.ts'
import { administer } from './administer.ts'
import { type ClusterUnderTest, openCluster, openNode, rowOf, waitForCluster } from './cluster-under-test.ts'
import { openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { closeByEscape, readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'

let cluster: ClusterUnderTest
beforeAll(async () => {
  cluster = await openCluster()
  await cluster.change(cluster.second.url, { draining: true })
  await administer(cluster.tutti.platform, 'POST', '/api/cluster/nodes', {
    url: 'http://127.0.0.1:9/behind/a/prefix/that/is/rather/long',
  })
  expect((await cluster.generate()).status).toBe(200)
})
afterAll(() => cluster[Symbol.asyncDispose]())

// The minimum width of each table layout, and some in between.
const widths = [1280, 1040, 1000, 800, 560, 360]

test('nothing is cut off and nothing scrolls sideways on wide and narrow screens', async () => {
  await using visit = await cluster.tutti.visit({ path: '/cluster' })
  const { page } = visit
  await waitForCluster(page)
  await rowOf(page, cluster.first.url).getByText('first byte').waitFor()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await waitForStillness(page)
    const at = `on ${width} pixels`
    expect(await readSidewaysScroll(page), at).toBe(0)
    const table = await page.getByRole('table', { name: 'Nodes' }).boundingBox()
    const ground = await page.getByRole('region', { name: 'Nodes' }).boundingBox()
    expect(rightOf(table), at).toBeLessThanOrEqual(rightOf(ground))
    expect(rightOf(ground), at).toBeLessThanOrEqual(width)
  }
})

function rightOf(box: { readonly x: number; readonly width: number } | null): number {
  if (box === null) throw new Error('it is not shown')
  return box.x + box.width
}

test('axe reports no problem with active nodes, light or dark', async () => {
  await using visit = await cluster.tutti.visit({ path: '/cluster' })
  const { page } = visit
  await waitForCluster(page)
  await rowOf(page, cluster.first.url).getByText('first byte').waitFor()
  expect(await findViolations(page), 'light').toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page), 'dark').toEqual([])
  const drawer = await openNode(page, cluster.first.url)
  await drawer.getByText('First byte', { exact: true }).waitFor()
  expect(await findViolations(page), 'dark, with its drawer').toEqual([])
  await switchColours(page, 'light')
  expect(await findColourViolations(page), 'light, with its drawer').toEqual([])
})

test('without any node the page explains how to add one, and the first one appears live', async () => {
  await using empty = await openConsole()
  await using visit = await empty.visit({ path: '/cluster', viewport: { width: 360, height: 740 } })
  const { page } = visit
  await waitForCluster(page)
  await page.getByText(/No model nodes yet\. Start Ollama.*CLUSTER_NODES/).waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add your first node' }).click()
  await closeByEscape(page.getByRole('dialog', { name: 'Add node' }))
  await using node = await startModelNode()
  await administer(empty.platform, 'POST', '/api/cluster/nodes', { url: node.url })
  await rowOf(page, node.url).getByText('Healthy').waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
})
