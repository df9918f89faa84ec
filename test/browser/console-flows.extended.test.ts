import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const say = (id: string, prompt: string, more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt,
  ai_options: { model: 'builtin:text' },
  ...more,
})

const definition = (id: string, steps: readonly object[]) => ({ id, label: `Flow ${id}`, steps })
let made = 0

/** Saves a flow under a unique id, and returns the id. */
async function saveFlow(name: string, steps: readonly object[]): Promise<string> {
  made += 1
  const id = `${name}_${made}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: definition(id, steps),
  })
  return id
}

describe('flows', () => {
  test('from the list to the first result in four clicks, with a built-in flow', async () => {
    await using visit = await tutti.visit({ path: '/workflows' })
    const { page, complaints } = visit
    await waitForPage(page, 'Workflows')
    await page.getByRole('link', { name: 'Content quality review' }).click()
    await waitForPage(page, 'Content quality review')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Run Content quality review' })
    await dialog.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(/\/executions\/[0-9a-f-]{36}/)
    await page.getByText('Completed', { exact: true }).first().waitFor()
    await page.getByText('5 of 5 steps finished').waitFor()
    expect(complaints).toEqual([])
  })

  test('a flow is exported, imported under another id, and shows its statistics', async () => {
    const id = await saveFlow('exported', [say('one', 'Analyse {{content}}')])
    await using visit = await tutti.visit({ path: `/workflows/${id}` })
    const { page } = visit
    await waitForPage(page, `Flow ${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${id}.flow.json`)
    const stream = await download.createReadStream()
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    await page.goto('/workflows?import=true')
    await page.getByLabel('Definition').fill(text.replaceAll('exported', 'imported'))
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await waitForPage(page, `Flow ${id.replace('exported', 'imported')}`)
    await page.getByRole('tabpanel').getByText('Steps', { exact: true }).click()
    await page.getByRole('table', { name: 'Steps' }).getByRole('cell', { name: 'one' }).first().waitFor()
  })

  test('own workflows come first, those with agents are filtered, and one may be called like a page', async () => {
    await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
      flow_definition: { ...definition('new', [say('one', 'x')]), label: 'Called like a page' },
    })
    await using visit = await tutti.visit({ path: '/workflows' })
    const { page } = visit
    await waitForPage(page, 'Workflows')
    const names = page.getByRole('table', { name: 'Workflows' }).locator('tbody tr td:first-child')
    expect(await names.first().innerText()).not.toContain('built in')
    expect(await names.last().innerText()).toContain('built in')
    await page.getByRole('button', { name: /^Agent workflows/ }).click()
    await page.waitForURL('**/workflows?kind=agents')
    await page.getByRole('link', { name: 'Text insights' }).waitFor()
    await page.getByRole('link', { name: 'Summary writer' }).first().waitFor()
    await page.getByRole('link', { name: 'Called like a page' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^All / }).click()
    await page.getByRole('link', { name: 'Called like a page' }).click()
    await waitForPage(page, 'Called like a page')
    await page.waitForURL('**/workflows/~new')
    await page.reload()
    await waitForPage(page, 'Called like a page')
  })

  test('is sorted by mouse, by keyboard and as a list, and the URL keeps the order', async () => {
    await using visit = await tutti.visit({ path: '/workflows?which=built_in' })
    const { page, complaints } = visit
    await waitForPage(page, 'Workflows')
    const table = page.getByRole('table', { name: 'Workflows' })
    const names = async () => await table.locator('tbody td:first-child a').allInnerTexts()
    const header = table.getByRole('columnheader', { name: 'Workflow', exact: true })
    const before = await names()
    const sorted = before.toSorted((one, other) => one.localeCompare(other))
    expect(before).not.toEqual(sorted)
    expect(await header.getAttribute('aria-sort')).toBe('none')
    await header.getByRole('button').click()
    await page.waitForURL('**/workflows?which=built_in&sort=name')
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
    expect(await names()).toEqual(sorted)
    await page.reload()
    await waitForPage(page, 'Workflows')
    expect(await names()).toEqual(sorted)
    await header.getByRole('button').press('Enter')
    await page.waitForURL('**/workflows?which=built_in&sort=-name')
    await expect.poll(names).toEqual(sorted.toReversed())
    await header.getByRole('button').press('Space')
    await page.waitForURL('**/workflows?which=built_in')
    await expect.poll(names).toEqual(before)

    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByLabel('Sort by').selectOption('Steps, descending')
    await page.waitForURL('**/workflows?which=built_in&sort=-steps')
    expect(await header.getByRole('button').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('an import that is no flow is reported, and validation errors are shown', async () => {
    await using visit = await tutti.visit({ path: '/workflows?import=true' })
    const { page } = visit
    const dialog = page.getByRole('dialog', { name: 'Import a workflow' })
    await dialog.getByLabel('Definition').fill('{"id": "x"}')
    await dialog.getByText('“flow_definition” or “steps” is missing').waitFor()
    const broken = definition('broken', [say('one', 'x', { dependencies: ['missing'] })])
    await dialog.getByLabel('Definition').fill(JSON.stringify(broken))
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('missing').first().waitFor()
  })

  test('versions are compared, and one is restored', async () => {
    const id = await saveFlow('versioned', [say('one', 'First {{content}}')])
    await administer(tutti.platform, 'PUT', `/ai-workflows/api/flows/${id}`, {
      flow_definition: definition(id, [say('one', 'Second {{content}}')]),
      note: 'Says it better.',
    })
    await using visit = await tutti.visit({ path: `/workflows/${id}?tab=versions` })
    const { page } = visit
    await page.getByText('Says it better.').waitFor()
    await page.getByRole('button', { name: 'Changes in revision 2' }).click()
    const changes = page.getByRole('dialog', { name: 'Revision 1 to 2' })
    await changes.getByText('− First {{content}}').waitFor()
    await changes.getByText('+ Second {{content}}').waitFor()
    await closeByEscape(changes)
    await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
    await page.getByRole('button', { name: 'Roll back', exact: true }).click()
    await page.getByText('3, current', { exact: true }).waitFor()
  })
})
