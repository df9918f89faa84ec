import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, switchColours } from './in-page.ts'

/** A condition of all and any, a loop with two steps, and a human task with a form, from an empty flow. */

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

/** The steps that both tests build. */
const built = [
  {
    id: 'decide',
    type: 'conditional',
    conditions: [
      {
        all: [
          { field: 'score', operator: '>=', value: 70 },
          { any: [{ field: 'language', operator: '==', value: 'de' }, { expression: 'size(content) > 3' }] },
        ],
        action: { type: 'continue' },
      },
    ],
  },
  {
    id: 'each',
    type: 'for_each',
    items: 'texts',
    dependencies: ['decide'],
    steps: [
      { id: 'per_item', type: 'ai_prompt', prompt: 'Translate {{item}}' },
      { id: 'ask', type: 'ai_prompt', prompt: 'Shorten {{steps.per_item}}', dependencies: ['per_item'] },
    ],
  },
  {
    id: 'human',
    type: 'human',
    dependencies: ['each'],
    message: 'Are these good?',
    form: {
      type: 'object',
      properties: {
        approved: { type: 'boolean' },
        tone: { type: 'string', enum: ['calm', 'loud'], description: 'How it sounds.' },
      },
      required: ['approved'],
    },
    assignees: { emails: ['jane@example.com'] },
    timeout: '2d',
  },
]

interface Saved {
  readonly flow_definition: { readonly steps: readonly object[] }
}

function field(name: string, within: Page | Locator): Locator {
  const exactly = { name, exact: true }
  return within.getByRole('textbox', exactly).or(within.getByRole('combobox', exactly)).first()
}

const group = (name: string, within: Page | Locator) => within.getByRole('group', { name, exact: true })
const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

type Act = (target: Locator) => Promise<void>
const click: Act = (target) => target.click()
const press: Act = (target) => pressAt(target)

async function fillIn(page: Page, name: string, text: string): Promise<void> {
  await field(name, page).fill(text)
}

async function buildCondition(page: Page, act: Act): Promise<void> {
  const first = group('Condition 1', page)
  await field('Condition type', first).selectOption('all')
  const score = group('Condition 1.1', first)
  await field('Field', score).fill('score')
  await field('Operator', score).selectOption('>=')
  await field('Value', score).fill('70')
  await act(first.getByRole('button', { name: 'Add condition' }))
  const either = group('Condition 1.2', first)
  await field('Condition type', either).selectOption('any')
  const german = group('Condition 1.2.1', either)
  await field('Field', german).fill('language')
  await field('Operator', german).selectOption('==')
  await field('Value', german).fill('de')
  await act(either.getByRole('button', { name: 'Add condition' }))
  const long = group('Condition 1.2.2', either)
  await field('Condition type', long).selectOption('expression')
  await field('Expression', long).fill('size(content) >')
  await long.getByText('Unexpected token: EOF (character 16)', { exact: true }).waitFor()
  await field('Expression', long).fill('size(content) > 3')
  // The sample input has a content.
  await long.getByText('= true').waitFor()
}

async function buildForm(page: Page, act: Act): Promise<void> {
  await fillIn(page, 'Message', 'Are these good?')
  const form = group('Form', page)
  await act(form.getByRole('button', { name: 'Add field' }))
  await field('Name', group('Field 1', form)).fill('approved')
  await field('Type', group('Field 1', form)).selectOption('yes or no')
  await act(form.getByRole('button', { name: 'Add field' }))
  const tone = group('Field 2', form)
  await field('Name', tone).fill('tone')
  await field('Type', tone).selectOption('choice')
  await field('Values', tone).fill('calm, loud')
  await field('Description', tone).fill('How it sounds.')
  await tone.getByRole('checkbox', { name: 'Required' }).setChecked(false)
  await act(page.locator('summary', { hasText: 'Assignees' }))
  await fillIn(page, 'Emails', 'jane@example.com')
  await fillIn(page, 'Timeout', '2')
  await field('Unit of timeout', page).selectOption('d')
}

async function saveAs(page: Page, id: string, act: Act): Promise<void> {
  // Without a mail server, the mail of the human task is a warning.
  await page.getByText('1 warning', { exact: true }).first().waitFor()
  await act(page.getByRole('button', { name: 'Save', exact: true }))
  const dialog = page.getByRole('dialog')
  await field('Label', dialog).fill(id)
  await act(dialog.getByRole('button', { name: 'Save' }))
  await page.waitForURL(`**/workflows/${id}/edit**`)
  const saved = await administer<Saved>(tutti.platform, 'GET', `/ai-workflows/api/flows/${id}`)
  expect(saved.flow_definition.steps).toEqual(built)
}

const palette = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Step palette' }).getByRole('button', { name: title, exact: true })

test('they are built with the mouse', { timeout: 180_000 * patience }, async () => {
  await using visit = await tutti.visit({ path: '/workflows/new', viewport: { width: 1440, height: 900 } })
  const { page, complaints } = visit
  await page.getByText('This workflow has no steps yet.').waitFor()
  await palette(page, 'Condition').click()
  await buildCondition(page, click)
  expect(await findViolations(page)).toEqual([])
  await palette(page, 'For each').click()
  await told(page, 'For each: each was added, after decide.')
  await fillIn(page, 'Items', 'texts')
  const form = page.getByRole('heading', { level: 2, name: 'each' }).locator('..')
  await form.getByRole('button', { name: 'Open steps' }).click()
  await page.locator('.react-flow__node[data-id="per_item"]').click()
  await fillIn(page, 'Prompt', 'Translate {{item}}')
  await page.getByRole('button', { name: 'Add a step after per_item' }).click()
  const choice = page.getByRole('dialog', { name: 'Step types' })
  await choice.getByRole('button', { name: 'Prompt', exact: true }).click()
  await told(page, 'Prompt: ask was added, after per_item.')
  await expect.poll(() => field('ID', page).inputValue()).toBe('ask')
  await fillIn(page, 'Prompt', 'Shorten {{steps.per_item}}')
  await page.getByRole('navigation', { name: 'Open scope' }).getByRole('button').first().click()
  await palette(page, 'Human task').click()
  await told(page, 'Human task: human was added, after each.')
  await buildForm(page, click)
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])
  await saveAs(page, 'kinds-mouse', click)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => readSidewaysScroll(page)).toBe(0)
  expect(complaints).toEqual([])
})

test('they are built by keyboard', { timeout: 180_000 * patience }, async () => {
  await using visit = await tutti.visit({
    path: '/workflows/new?view=list',
    viewport: { width: 1440, height: 900 },
  })
  const { page, complaints } = visit
  await page.getByText('This workflow has no steps yet.').waitFor()
  await press(palette(page, 'Condition'))
  await buildCondition(page, press)
  await press(palette(page, 'For each'))
  await told(page, 'For each: each was added, after decide.')
  await fillIn(page, 'Items', 'texts')
  await page.locator('[data-step="per_item"] [data-part="open"]').press('Enter')
  await fillIn(page, 'Prompt', 'Translate {{item}}')
  // The palette adds after the selected step, also inside of a container.
  await press(palette(page, 'Prompt'))
  await told(page, 'Prompt: ask was added, after per_item.')
  await expect.poll(() => field('ID', page).inputValue()).toBe('ask')
  await fillIn(page, 'Prompt', 'Shorten {{steps.per_item}}')
  await page.locator('[data-step="each"] [data-part="open"]').press('Enter')
  await press(palette(page, 'Human task'))
  await told(page, 'Human task: human was added, after each.')
  await buildForm(page, press)
  await saveAs(page, 'kinds-keyboard', press)
  expect(complaints).toEqual([])
})

test('an agent with tools of two types is built with the mouse', {
  timeout: 180_000 * patience,
}, async () => {
  await using visit = await tutti.visit({ path: '/workflows/new', viewport: { width: 1440, height: 900 } })
  const { page, complaints } = visit
  await page.getByText('This workflow has no steps yet.').waitFor()
  await palette(page, 'Agent with tools').click()
  await fillIn(page, 'Prompt', 'Find the largest file.')
  const tools = group('Tools', page)
  await tools.getByRole('button', { name: 'Add tool' }).click()
  const request = group('Tool 2', tools)
  await field('Type', request).selectOption('HTTP request')
  await field('Name', request).fill('read_order')
  await field('Description', request).fill('Reads an order.')
  await field('URL', request).fill('https://example.com/orders/1')
  expect(await findViolations(page)).toEqual([])
  // Fields of the type before it are left out.
  await field('Type', request).selectOption('Built-in tool')
  await field('Name', request).selectOption('web_page')
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])
  // No model of this platform could answer for the agent.
  await page.getByText('1 warning', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await field('Label', dialog).fill('agent-mouse')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/workflows/agent-mouse/edit**')
  const saved = await administer<Saved>(tutti.platform, 'GET', '/ai-workflows/api/flows/agent-mouse')
  expect(saved.flow_definition.steps).toMatchObject([
    {
      type: 'tool_agent',
      prompt: 'Find the largest file.',
      tools: [
        { type: 'builtin', name: 'calculator' },
        { type: 'builtin', name: 'web_page' },
      ],
    },
  ])
  expect(complaints).toEqual([])
})
