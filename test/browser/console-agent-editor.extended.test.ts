import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { pressAt, switchColours } from './in-page.ts'

let openai: OpenAiServer
let tutti: ConsoleUnderTest

beforeAll(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  tutti = await openConsole({ OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-right' })
})
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
})

const model = 'openai/gpt-4o-mini'
const runView = /\/executions\/[0-9a-f-]{36}/
const agents = '/ai-orchestra/api/agents'

interface Definition {
  readonly agent_definition: Readonly<Record<string, unknown>>
}

const read = (id: string) => administer<Definition>(tutti.platform, 'GET', `${agents}/${id}`)

async function makeAgent(id: string, label: string): Promise<void> {
  const definition = { id, label, description: 'For a test.', category: 'content', prompt: 'Do {{content}}' }
  await administer(tutti.platform, 'POST', agents, {
    agent_definition: { ...definition, ai_options: { model } },
  })
}

/** Presses Tab until the focus is at the element, as a person without a mouse does. */
async function tabTo(
  page: Page,
  name: string | RegExp,
  role: 'textbox' | 'button' | 'combobox' | 'searchbox' = 'textbox',
) {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' }).first()
  await wanted.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

test('an agent is made by mouse, with problems at its fields, and tested beside the form', async () => {
  await using visit = await tutti.visit({ path: '/agents' })
  const { page, complaints } = visit
  await waitForPage(page, 'Agents')
  await page.getByRole('link', { name: 'New agent' }).click()
  await waitForPage(page, 'New agent')
  const create = page.getByRole('button', { name: 'Create agent' })
  await create.click()
  await page.getByRole('region', { name: 'Problems' }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Name', { exact: true }).fill('Headline maker')
  expect(await page.getByLabel('ID', { exact: true }).inputValue()).toBe('headline_maker')
  await page.getByLabel('Description').first().fill('Writes a headline.')
  await page.getByRole('combobox', { name: 'Model' }).fill(model)
  await page
    .getByRole('textbox', { name: 'Prompt', exact: true })
    .fill('A headline in the tone {{tone}} for {{text}}')
  await page.getByText('{{text}} is unknown here', { exact: false }).first().waitFor()
  await page
    .getByRole('textbox', { name: 'Prompt', exact: true })
    .fill('A headline in the tone {{tone}} for: {{content}}')
  await page.getByRole('button', { name: 'Add parameter' }).click()
  const parameter = page.getByRole('list', { name: 'Parameters' }).getByRole('listitem')
  await parameter.getByLabel('Name').fill('tone')
  await parameter.getByLabel('Allowed values').fill('plain, loud')
  await parameter.getByLabel('Default').fill('plain')
  await page.getByRole('region', { name: 'Problems' }).waitFor({ state: 'detached' })

  openai.script({ steps: [{ text: 'All together now' }] })
  await page.getByLabel('tone (optional)').selectOption('loud')
  await page.getByRole('button', { name: 'Save and run' }).click()
  await page.waitForURL('**/agents/headline_maker/edit?test=*')
  const result = page.getByRole('region', { name: 'Test result' })
  await result.getByText('All together now').waitFor()
  await result.getByText('Completed').waitFor()
  expect(JSON.stringify(openai.lastCall()?.body)).toContain('in the tone loud for')
  await expect.poll(() => page.getByLabel('tone (optional)').inputValue()).toBe('loud')
  await page.getByRole('button', { name: 'Run test' }).waitFor()
  expect((await read('headline_maker')).agent_definition).toMatchObject({
    label: 'Headline maker',
    parameters: { tone: { default: 'plain', choices: ['plain', 'loud'] } },
    ai_options: { model },
  })
  expect(complaints).toEqual([])
})

test('an agent and a workflow of agents are made by keyboard, and the workflow runs', async () => {
  await using visit = await tutti.visit({ path: '/agents/new' })
  const { page, complaints } = visit
  await waitForPage(page, 'New agent')
  await tabTo(page, 'Name')
  await page.keyboard.type('Keyboard agent')
  await tabTo(page, 'Description')
  await page.keyboard.type('Made without a mouse.')
  await tabTo(page, 'Model', 'combobox')
  await page.keyboard.type(model)
  await tabTo(page, 'Prompt')
  await page.keyboard.type('Shorten. ')
  await page.keyboard.press('Shift+Tab')
  await page.getByRole('heading', { level: 1, name: 'New agent' }).focus()
  await tabTo(page, 'Create agent', 'button')
  await page.keyboard.press('Enter')
  await waitForPage(page, 'Keyboard agent')

  await page.goto('/workflows')
  await waitForPage(page, 'Workflows')
  await tabTo(page, 'New workflow', 'button')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await pressAt(page.getByRole('menuitem', { name: 'From agents' }))
  const dialog = page.getByRole('dialog', { name: 'New workflow from agents' })
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('Shorten and translate')
  await tabTo(page, 'Add an agent', 'searchbox')
  await page.keyboard.type('translator')
  await page.keyboard.press('Enter')
  await page.keyboard.type('keyboard agent')
  await page.keyboard.press('Enter')
  const chosen = dialog.getByRole('list', { name: 'Agents of the workflow' }).getByRole('listitem')
  await expect.poll(() => chosen.count()).toBe(2)
  // Without its parameter the first agent is refused, at its field.
  await page.keyboard.press('Shift+Tab')
  await dialog.getByRole('button', { name: 'Create workflow' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('required by the agent').waitFor()
  await dialog.getByLabel('target_language').focus()
  await page.keyboard.type('German')
  await page.keyboard.press('Alt+ArrowDown')
  await dialog.getByText('Translator is now 2 of 2.').waitFor()
  expect(await chosen.first().innerText()).toContain('1. Keyboard agent')
  await dialog.getByRole('button', { name: 'Create workflow' }).focus()
  await page.keyboard.press('Enter')
  await waitForPage(page, 'Shorten and translate')
  await page.waitForURL('**/workflows/shorten_and_translate')

  openai.script({ steps: [{ text: 'Short.' }] })
  openai.script({ steps: [{ text: 'Kurz.' }] })
  await tabTo(page, 'Run', 'button')
  await page.keyboard.press('Enter')
  const run = page.getByRole('dialog', { name: 'Run Shorten and translate' })
  await pressAt(run.getByRole('button', { name: 'Run' }))
  await page.waitForURL(runView)
  await page.getByText('2 of 2 steps finished').waitFor()
  // The first attempt to create the workflow was refused.
  expect(complaints).toEqual([expect.stringContaining('400 (Bad Request)')])
})

test('a workflow of agents is made by mouse, and runs', async () => {
  await makeAgent('mouse_agent', 'Mouse agent')
  await using visit = await tutti.visit({ path: '/workflows' })
  const { page, complaints } = visit
  await waitForPage(page, 'Workflows')
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('menuitem', { name: 'From agents' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workflow from agents' })
  await dialog.getByLabel('Name', { exact: true }).fill('Twice by mouse')
  for (const count of [1, 2]) {
    await dialog.getByRole('searchbox', { name: 'Add an agent' }).fill('mouse agent')
    await dialog.getByRole('button', { name: 'Add Mouse agent', exact: true }).click()
    await dialog.getByText(`${count}. Mouse agent`).waitFor()
  }
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await waitForPage(page, 'Twice by mouse')
  for (const text of ['Once.', 'Twice.']) openai.script({ steps: [{ text }] })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('dialog', { name: 'Run Twice by mouse' }).getByRole('button', { name: 'Run' }).click()
  await page.waitForURL(runView)
  await page.getByText('2 of 2 steps finished').waitFor()
  expect(complaints).toEqual([])
})

test('an agent is edited as JSON; what another person saved since is not overwritten', async () => {
  await makeAgent('contested', 'Contested')
  await using visit = await tutti.visit({ path: '/agents/contested' })
  const { page } = visit
  await waitForPage(page, 'Contested')
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await waitForPage(page, 'Edit Contested')
  await page.getByLabel('Description').first().fill('Mine.')
  const other = { ...(await read('contested')).agent_definition, description: 'Theirs.' }
  await administer(tutti.platform, 'PUT', `${agents}/contested`, { agent_definition: other })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText('Another user saved this agent').waitFor()
  await page.reload()
  await page.getByText('Your unsaved changes of').waitFor()
  await expect.poll(() => page.getByLabel('Description').first().inputValue()).toBe('Mine.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Load the newest version' }).click()
  await expect.poll(() => page.getByLabel('Description').first().inputValue()).toBe('Theirs.')

  await page
    .getByRole('group', { name: 'View' })
    .or(page.getByRole('radiogroup', { name: 'View' }))
    .getByText('JSON')
    .click()
  const code = page.getByRole('textbox', { name: 'Definition as JSON' })
  await code.waitFor()
  await code.fill('{"id": "contested", ')
  await page.getByText('This is not a JSON object yet.').waitFor()
  await code.fill(JSON.stringify({ ...other, description: 'As JSON.' }))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/agents/contested')
  expect((await read('contested')).agent_definition).toMatchObject({ description: 'As JSON.' })
})

test('an agent is duplicated, disabled, enabled and deleted; the questions name who uses it', async () => {
  await makeAgent('menu_agent', 'Menu agent')
  await administer(tutti.platform, 'POST', '/ai-orchestra/api/workflows', {
    label: 'Uses the menu agent',
    agents: ['menu_agent'],
  })
  await using visit = await tutti.visit({ path: '/agents' })
  const { page, complaints } = visit
  await waitForPage(page, 'Agents')
  const menu = page.getByRole('button', { name: 'More actions for Menu agent' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Disable…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Uses the menu agent').waitFor()
  await dialog.getByRole('button', { name: 'Disable agent' }).click()
  await page
    .getByRole('row', { name: /Menu agent/ })
    .getByText('Disabled')
    .waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Enable' }).click()
  await page
    .getByRole('row', { name: /Menu agent/ })
    .getByText('Disabled')
    .waitFor({ state: 'detached' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await waitForPage(page, 'New agent')
  await expect.poll(() => page.getByLabel('ID', { exact: true }).inputValue()).toBe('menu_agent_copy')
  await page.getByRole('button', { name: 'Create agent' }).click()
  await waitForPage(page, 'Copy of Menu agent')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByText('No workflow uses it.').waitFor()
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await waitForPage(page, 'Agents')
  await page.getByRole('link', { name: 'Menu agent', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Copy of Menu agent' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('an account that may not manage workflows is told the missing permission', async () => {
  const clara = await addPerson(tutti.platform, 'clara', ['author'])
  await using visit = await visitAs(tutti, clara, '/agents/new')
  await visit.page.getByText('requires the permission “manage workflows”').waitFor()
  await visit.page.goto('/agents')
  await waitForPage(visit.page, 'Agents')
  expect(await visit.page.getByRole('link', { name: 'New agent' }).count()).toBe(0)
})

test.each([
  { name: 'a new agent', path: '/agents/new?from=translator', title: 'New agent' },
  { name: 'an agent as JSON', path: '/agents/new?from=translator&view=json', title: 'New agent' },
  { name: 'a workflow of agents', path: '/workflows?agents=translator', title: 'Workflows' },
  { name: 'the workflows', path: '/workflows', title: 'Workflows' },
  { name: 'the runs of a workflow', path: '/workflows/text_insights?tab=runs', title: 'Text insights' },
  { name: 'its schedules', path: '/workflows/text_insights?tab=schedules', title: 'Text insights' },
  { name: 'its API', path: '/workflows/text_insights?tab=api', title: 'Text insights' },
])('$name has no accessibility problem, in light and dark, and fits 390 px', async ({ path, title }) => {
  await using visit = await tutti.visit({ path })
  const { page, complaints } = visit
  await waitForPage(page, title)
  if (path.includes('view=json')) await page.getByRole('textbox', { name: 'Definition as JSON' }).waitFor()
  if (path.includes('agents=')) await page.getByLabel('target_language').waitFor()
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  await expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth'))
    .toBeLessThanOrEqual(390)
  expect(complaints).toEqual([])
})
