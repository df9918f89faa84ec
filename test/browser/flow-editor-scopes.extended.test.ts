import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'

/** The steps inside of a container: opened, edited and left on the canvas and in the list. */

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const wide = { viewport: { width: 1440, height: 900 } }

const loop = {
  id: 'translations',
  label: 'Translations',
  steps: [
    { id: 'start', type: 'data_transform', transformations: [{ operation: 'merge' }] },
    {
      id: 'each',
      type: 'for_each',
      label: 'Translate all',
      items: 'texts',
      dependencies: ['start'],
      steps: [
        { id: 'translate', type: 'ai_prompt', prompt: 'Translate {{item}}' },
        {
          id: 'shorten',
          type: 'ai_prompt',
          prompt: 'Shorten {{steps.translate}}',
          dependencies: ['translate'],
        },
      ],
    },
    { id: 'end', type: 'data_transform', transformations: [{ operation: 'merge' }], dependencies: ['each'] },
  ],
}

async function saveFlow(id: string, changes: object = {}): Promise<void> {
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { ...loop, ...changes, id },
  })
}

interface Saved {
  readonly flow_definition: { readonly steps: readonly Record<string, unknown>[] }
}

async function stepsSaved(id: string): Promise<readonly Record<string, unknown>[]> {
  const saved = await administer<Saved>(tutti.platform, 'GET', `/ai-workflows/api/flows/${id}`)
  return saved.flow_definition.steps
}

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
const row = (page: Page, id: string) => page.locator(`li[data-step="${id}"]`)
const path = (page: Page) => page.getByRole('navigation', { name: 'Open scope' })
const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

async function attributesOf(rows: Locator, name: string): Promise<(string | null)[]> {
  return await Promise.all((await rows.all()).map((it) => it.getAttribute(name)))
}

const compareTexts = (one: string | null, other: string | null) => (one ?? '').localeCompare(other ?? '')

const nodesShown = async (page: Page) =>
  (await attributesOf(page.locator('.react-flow__node'), 'data-id')).toSorted(compareTexts)

test('the steps of a container are opened, edited and left with the mouse', async () => {
  await saveFlow('scopes-mouse')
  await using visit = await tutti.visit({ path: '/workflows/scopes-mouse/edit', ...wide })
  const { page, complaints } = visit
  await node(page, 'each').getByText('2 steps').waitFor()
  await expect.poll(() => nodesShown(page)).toEqual(['each', 'end', 'start'])
  await node(page, 'each').getByRole('button', { name: 'Open steps of Translate all' }).click()
  await path(page).getByText('Item').waitFor()
  await page.waitForURL(/[?&]in=each/)
  await expect.poll(() => nodesShown(page)).toEqual(['shorten', 'translate'])
  // Without a selection, the form is that of the container.
  await page.getByRole('heading', { level: 2, name: 'Translate all' }).waitFor()

  // A step added here belongs to the container, has a free ID and completes the variables.
  await page.getByRole('button', { name: 'Add a step after shorten' }).click()
  const choice = page.getByRole('dialog', { name: 'Step types' })
  await choice.getByRole('button', { name: 'Prompt', exact: true }).click()
  await told(page, 'Prompt: ask was added, after shorten.')
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
  await prompt.fill('Check {{it')
  await page.getByRole('option', { name: 'item', exact: false }).first().click()
  await expect.poll(() => prompt.textContent()).toBe('Check {{item}}')
  expect(await findViolations(page)).toEqual([])
  await prompt.fill('Check {{steps.gone}}')
  await page.getByText('“steps.gone”: no earlier step has the ID “gone”.').waitFor()

  // Undo in another scope returns to the change.
  await path(page).getByRole('button', { name: 'Translations' }).click()
  await expect.poll(() => nodesShown(page)).toEqual(['each', 'end', 'start'])
  await page.waitForURL((url) => !url.searchParams.has('in'))
  await node(page, 'each').getByText('3 steps').waitFor()
  await page.goBack()
  await expect.poll(() => nodesShown(page)).toEqual(['ask', 'shorten', 'translate'])
  await page.goForward()
  await expect.poll(() => nodesShown(page)).toEqual(['each', 'end', 'start'])

  // A problem inside is counted at the container, and leads to the field.
  await node(page, 'each').getByTitle('1 error').waitFor()
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByRole('button', { name: '1 error' }).click()
  await problems.getByRole('button', { name: 'steps[1].steps[2].prompt' }).click()
  await expect.poll(() => nodesShown(page)).toEqual(['ask', 'shorten', 'translate'])
  await prompt.fill('Check {{item}}')
  await problems.getByText('No problems').waitFor()

  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const each = (await stepsSaved('scopes-mouse')).find(({ id }) => id === 'each')
  expect(each?.['steps']).toMatchObject([
    { id: 'translate' },
    { id: 'shorten' },
    { id: 'ask', dependencies: ['shorten'], prompt: 'Check {{item}}' },
  ])
  expect(complaints).toEqual([])
})

test('the same works by keyboard, in the list and on the canvas', async () => {
  await saveFlow('scopes-keys')
  await using visit = await tutti.visit({ path: '/workflows/scopes-keys/edit?view=list', ...wide })
  const { page, complaints } = visit
  const open = (id: string) => row(page, id).locator('[data-part="open"]')
  // The list shows the steps inside, numbered and indented.
  await open('start').waitFor()
  expect(await attributesOf(page.locator('li[data-step]'), 'data-depth')).toEqual(['0', '0', '1', '1', '0'])
  await row(page, 'shorten').getByText('2.2').waitFor()
  await open('start').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { level: 2, name: 'translate' }).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await told(page, 'translate is step 2 of 2 now.')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+d')
  await row(page, 'translate_2').waitFor()
  expect(await row(page, 'translate_2').getAttribute('data-depth')).toBe('1')
  await open('translate_2').focus()
  await page.keyboard.press('Delete')
  await row(page, 'translate_2').waitFor({ state: 'detached' })

  // Shift+Enter opens the steps of a container, Escape leaves them.
  await open('each').focus()
  await page.keyboard.press('Shift+Enter')
  await told(page, 'The steps of Translate all are open.')
  await row(page, 'start').waitFor({ state: 'detached' })
  expect(await row(page, 'translate').getAttribute('data-depth')).toBe('0')
  await open('translate').focus()
  await page.keyboard.press('Escape')
  await told(page, 'The workflow is open.')
  await row(page, 'start').waitFor()

  await page.goto('/workflows/scopes-keys/edit')
  // The canvas hides a step until it is measured, and what is hidden takes no focus.
  await node(page, 'each').waitFor()
  await node(page, 'each').focus()
  await page.keyboard.press('Shift+Enter')
  await expect.poll(() => nodesShown(page)).toEqual(['shorten', 'translate'])
  await page.keyboard.press('Control+a')
  await told(page, '2 steps are selected.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => nodesShown(page)).toEqual(['each', 'end', 'start'])
  expect(complaints).toEqual([])
})

test('steps copied from one scope get new IDs in another', async () => {
  await saveFlow('scopes-copy')
  await using visit = await tutti.visit({ path: '/workflows/scopes-copy/edit?in=each', ...wide })
  const { page } = visit
  await node(page, 'translate').click()
  await page.keyboard.press('Control+c')
  await told(page, '1 step was copied.')
  await path(page).getByRole('button', { name: 'Translations' }).click()
  await node(page, 'each').waitFor()
  await page.keyboard.press('Control+v')
  await told(page, '1 step was pasted: translate_2.')
  await expect.poll(() => nodesShown(page)).toEqual(['each', 'end', 'start', 'translate_2'])
})

test('an address names the scope, or a step by its path in an execution', async () => {
  await saveFlow('scopes-address')
  await using visit = await tutti.visit({
    path: '/workflows/scopes-address/edit?step=each%2F7%2Fshorten',
    ...wide,
  })
  const { page } = visit
  await page.getByRole('heading', { level: 2, name: 'shorten' }).waitFor()
  await expect.poll(() => nodesShown(page)).toEqual(['shorten', 'translate'])
  await page.waitForURL(/[?&]in=each/)
  await page.goto('/workflows/scopes-address/edit?in=gone')
  await node(page, 'start').waitFor()
  await page.waitForURL((url) => !url.searchParams.has('in'))
})

test('a scope is readable on a phone and in both colour schemes', async () => {
  await saveFlow('scopes-looks')
  await using visit = await tutti.visit({
    path: '/workflows/scopes-looks/edit?view=list',
    viewport: { width: 390, height: 844 },
  })
  const { page } = visit
  await row(page, 'shorten').waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  await row(page, 'each').getByRole('button', { name: 'Open steps of Translate all' }).click()
  await path(page).waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  for (const colours of ['dark', 'light'] as const) {
    await switchColours(page, colours)
    expect(await findColourViolations(page)).toEqual([])
  }
})
