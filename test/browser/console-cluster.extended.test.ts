import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { startModelNode } from '../support/model-node.ts'
import { addPerson, addRole, administer, visitAs } from './administer.ts'
import {
  type ClusterUnderTest,
  drawerOf,
  openCluster,
  openNode,
  rowOf,
  waitForCluster,
} from './cluster-under-test.ts'
import { waitForPage } from './console-under-test.ts'
import { pressAt, pressTogether, readFocusedText, untilShown } from './in-page.ts'

let cluster: ClusterUnderTest
beforeAll(async () => {
  cluster = await openCluster()
})
afterAll(() => cluster[Symbol.asyncDispose]())
beforeEach(() => cluster.reset())

describe('the cluster page', () => {
  test('shows every node with its state, models, load and measured latency', async () => {
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page, complaints } = visit
    await waitForCluster(page)
    await page.getByText('All 2 nodes are healthy.').waitFor()
    const row = rowOf(page, cluster.first.url)
    await row.getByText('Healthy').waitFor()
    await row.getByText('1 loaded').waitFor()
    // The second node gets no requests, so its latency is that of its probes.
    await rowOf(page, cluster.second.url)
      .getByRole('img', { name: /probe: latest [\d.]+ m?s/ })
      .waitFor()
    expect(complaints).toEqual([])
  })

  test('updates requests live, without a reload', async () => {
    await cluster.change(cluster.second.url, { draining: true })
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    const { requests } = await administer<{ requests: number }>(
      cluster.tutti.platform,
      'GET',
      `/api/cluster/nodes/${(await cluster.nodeAt(cluster.first.url)).id}`,
    )
    expect((await cluster.generate()).status).toBe(200)
    await rowOf(page, cluster.first.url)
      .getByRole('img', { name: new RegExp(`${cluster.first.url}, first byte: latest [\\d.]+ m?s`) })
      .waitFor()
    await openNode(page, cluster.first.url)
    const told = `${requests + 1} request${requests === 0 ? '' : 's'}, 0 failed`
    await drawerOf(page, cluster.first.url).getByText(told).waitFor()
    await drawerOf(page, cluster.first.url).getByText('First byte', { exact: true }).waitFor()
  })

  test('shows live that a node goes offline and comes back', async () => {
    await using mortal = await startModelNode({ models: ['qwen3:8b'] })
    await administer(cluster.tutti.platform, 'POST', '/api/cluster/nodes', { url: mortal.url })
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    const row = rowOf(page, mortal.url)
    await row.getByText('Healthy').waitFor()
    await mortal.behave('refuse')
    await row.getByText(/connection refused|the connection was closed/).waitFor()
    await page.getByText('2 of 3 nodes are healthy.').waitFor()
    await page.getByText('2 of 3 healthy').waitFor()
    await mortal.behave('normal')
    await row.getByText('Healthy').waitFor()
    await page.getByText('All 3 nodes are healthy.').waitFor()
  })

  test('drains a node and resumes it, visible in every window', async () => {
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    await using other = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    await waitForCluster(other.page)
    await page.getByRole('button', { name: `Drain ${cluster.first.url}` }).click()
    for (const window of [page, other.page]) {
      await rowOf(window, cluster.first.url).getByText('Draining').waitFor()
      await rowOf(window, cluster.first.url).getByText('0 requests left').waitFor()
    }
    expect((await cluster.nodeAt(cluster.first.url)).status).toBe('draining')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await other.page.getByRole('button', { name: `Resume ${cluster.first.url}` }).click()
    await rowOf(page, cluster.first.url).getByText('Healthy').waitFor()
  })

  test('changes the weight of a node, and shows an invalid weight below the field', async () => {
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    await openNode(page, cluster.second.url)
    const drawer = drawerOf(page, cluster.second.url)
    await drawer.getByLabel('Weight').fill('0')
    await drawer.getByRole('button', { name: 'Save weight' }).click()
    await drawer.getByText('Must be at least 1.').waitFor()
    await drawer.getByLabel('Weight').fill('5')
    const told = `${cluster.second.url} now has the weight 5`
    await untilShown(page, told, () => drawer.getByLabel('Weight').press('Enter'))
    expect((await cluster.nodeAt(cluster.second.url)).weight).toBe(5)
    // The change of another user shows in the open drawer, too.
    await cluster.change(cluster.second.url, { weight: 7 })
    await drawer.locator('input[type=number][value="7"]').waitFor()
  })

  test('switches the strategy, here and in every other window', async () => {
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    await using other = await cluster.tutti.visit({ path: '/cluster' })
    await waitForCluster(visit.page)
    await waitForCluster(other.page)
    await visit.page.getByLabel('Strategy').selectOption('Lowest latency')
    await other.page.getByText('The node with the shortest expected time to first byte').waitFor()
    expect(await administer(cluster.tutti.platform, 'GET', '/api/cluster/strategy')).toMatchObject({
      strategy: 'least-latency',
    })
    await expect.poll(() => visit.page.getByLabel('Strategy').inputValue()).toBe('least-latency')
  })

  test('adds a node, and shows an invalid URL below the field', async () => {
    await using added = await startModelNode({ models: ['llama3.2:1b'] })
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    await page.getByRole('button', { name: 'Add node' }).click()
    const drawer = page.getByRole('dialog', { name: 'Add node' })
    await drawer.getByLabel('Address').fill('gpu1')
    await drawer.getByRole('button', { name: 'Add node' }).click()
    await drawer.getByText(/^Must start with http:\/\/ or https:\/\//).waitFor()
    await drawer.getByLabel('Address').fill(cluster.first.url)
    await drawer.getByRole('button', { name: 'Add node' }).click()
    await drawer.getByText(/is a node already/).waitFor()
    await drawer.getByLabel('Address').fill(added.url)
    await drawer.getByLabel('Weight').fill('3')
    await drawer.getByRole('button', { name: 'Add node' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await rowOf(page, added.url).getByText('Healthy').waitFor()
    expect(await cluster.nodeAt(added.url)).toMatchObject({ weight: 3 })
  })

  test('removes a node after a confirmation, and drops a node that another user removed', async () => {
    const [here, elsewhere] = [
      `http://127.0.0.1:${await findFreePort()}`,
      `http://127.0.0.1:${await findFreePort()}`,
    ]
    for (const url of [here, elsewhere]) {
      await administer(cluster.tutti.platform, 'POST', '/api/cluster/nodes', { url })
    }
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    await openNode(page, here)
    await drawerOf(page, here).getByRole('button', { name: 'Remove…' }).click()
    const question = page.getByRole('dialog', { name: `Remove ${here}?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await cluster.nodeAt(here)).toMatchObject({ url: here })
    await drawerOf(page, here).getByRole('button', { name: 'Remove…' }).click()
    await question.getByRole('button', { name: 'Remove node' }).click()
    await rowOf(page, here).waitFor({ state: 'detached' })
    await page.waitForURL('**/cluster')
    await administer(
      cluster.tutti.platform,
      'DELETE',
      `/api/cluster/nodes/${(await cluster.nodeAt(elsewhere)).id}`,
    )
    await rowOf(page, elsewhere).waitFor({ state: 'detached' })
  })

  test('works with the keyboard alone', async () => {
    await using visit = await cluster.tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await pressTogether(page, ['g', 'n'], 'Cluster')
    await waitForCluster(page)
    await rowOf(page, cluster.first.url).getByRole('button', { name: cluster.first.url, exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => readFocusedText(page)).toBe(cluster.second.url)
    await page.keyboard.press('Enter')
    const drawer = drawerOf(page, cluster.second.url)
    await pressAt(drawer.getByRole('button', { name: `Drain ${cluster.second.url}` }))
    await page.waitForURL(/node=/)
    await drawer.getByRole('button', { name: `Resume ${cluster.second.url}` }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => readFocusedText(page)).toBe(cluster.second.url)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await rowOf(page, cluster.second.url).getByText('Healthy').waitFor()
  })

  test('opens a node from its URL, or reports that it does not exist', async () => {
    const { id } = await cluster.nodeAt(cluster.first.url)
    await using visit = await cluster.tutti.visit({ path: `/cluster?node=${id}` })
    await drawerOf(visit.page, cluster.first.url).getByText('Listed in CLUSTER_NODES').waitFor()
    await visit.page.goto('/cluster?node=unknown')
    await visit.page
      .getByText('The cluster has no node with the ID unknown; it may have been removed.')
      .waitFor()
  })

  test('reports a lost stream, and resumes it with the missed changes', async () => {
    await using visit = await cluster.tutti.visit({ path: '/profile' })
    const { page } = visit
    let refuse = true
    await page.route('**/api/cluster/events*', async (route) => {
      const body = { error: { code: 'cluster_unreachable', message: 'The service is away.', details: {} } }
      if (refuse) await route.fulfill({ status: 503, json: body })
      else await route.continue()
    })
    await page.goto('/cluster')
    await page.getByText('Reconnecting').waitFor()
    await page.getByRole('alert').getByText('The service is away.').waitFor()
    await cluster.change(cluster.first.url, { draining: true })
    refuse = false
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    await rowOf(page, cluster.first.url).getByText('Draining').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('writes its changes to the audit log, with the account', async () => {
    await using visit = await cluster.tutti.visit({ path: '/cluster' })
    const { page } = visit
    await waitForCluster(page)
    await page.getByRole('button', { name: `Drain ${cluster.first.url}` }).click()
    await page.getByRole('button', { name: `Resume ${cluster.first.url}` }).click()
    await page.goto('/audit?type=cluster.node_drained')
    await waitForPage(page, 'Audit log')
    const newest = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').first()
    await expect.poll(() => newest.innerText()).toMatch(/^Node drained\s+–\s+admin\s+http:/)
    expect(await newest.innerText()).toContain(cluster.first.url)
  })
})

test('a user with only the read permission sees the nodes, and no button that would be refused', async () => {
  await addRole(cluster.tutti.platform, {
    name: 'watchers',
    label: 'Watchers',
    permissions: ['administer llm'],
  })
  const person = await addPerson(cluster.tutti.platform, 'wanda', ['watchers'])
  await using visit = await visitAs(cluster.tutti, person, '/cluster')
  const { page } = visit
  await waitForCluster(page)
  await page.getByText('Changing them requires the permission “administer cluster”.').waitFor()
  await rowOf(page, cluster.first.url).getByText('Healthy').waitFor()
  expect(await page.getByRole('button', { name: /^(Drain|Add node)/ }).count()).toBe(0)
  expect(await page.getByLabel('Strategy').count()).toBe(0)
  await openNode(page, cluster.first.url)
  await drawerOf(page, cluster.first.url).getByText('Listed in CLUSTER_NODES').waitFor()
  expect(await page.getByRole('button', { name: /^(Remove|Save)/ }).count()).toBe(0)
})

test('the overview shows draining nodes, and links to the page', async () => {
  await cluster.change(cluster.first.url, { draining: true })
  await using visit = await cluster.tutti.visit({ path: '/?tab=system' })
  const { page } = visit
  await page.getByRole('table', { name: 'Model nodes' }).getByText('Draining').waitFor()
  await page.getByRole('link', { name: 'Open cluster' }).click()
  await waitForCluster(page)
})
