import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, switchColours, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeEach(async () => {
  tutti = await openConsole()
})
afterEach(() => tutti?.[Symbol.asyncDispose]())

const flow = {
  id: 'form',
  label: 'Form',
  steps: [
    { id: 'ask', type: 'ai_prompt', prompt: 'Analyse {{content}}.', output_to_memory: 'analysis' },
    { id: 'more', type: 'agent', agent: 'summary_writer' },
    {
      id: 'decide',
      type: 'conditional',
      dependencies: ['ask'],
      conditions: [{ field: 'content', operator: 'exists', action: { type: 'continue' } }],
    },
    {
      id: 'call',
      type: 'external_api',
      dependencies: ['decide'],
      api: { url: 'https://example.com/{{steps.decide.target}}' },
    },
    {
      id: 'end',
      type: 'data_transform',
      dependencies: ['decide'],
      transformations: [{ operation: 'merge' }],
    },
  ],
}

/** A text field: those with completion have the role combobox. */
function field(name: string, within: Page | Locator): Locator {
  const exactly = { name, exact: true }
  return within.getByRole('textbox', exactly).or(within.getByRole('combobox', exactly)).first()
}

async function openStep(page: Page, id: string): Promise<void> {
  await page.locator(`[data-step="${id}"] [data-part=open]`).press('Enter')
  await expect.poll(() => field('ID', page).inputValue()).toBe(id)
}

/** Waits for the suggestion and accepts it. */
async function complete(page: Page, suggestion: RegExp): Promise<void> {
  await page.getByRole('option', { name: suggestion }).first().waitFor()
  await page.keyboard.press('Enter')
}

/** For a select without a default. */
async function choose(page: Page, suggestion: RegExp): Promise<void> {
  await page.getByRole('option', { name: suggestion }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

async function fillInPrompt(page: Page): Promise<void> {
  await openStep(page, 'ask')
  const prompt = field('Prompt', page)
  await prompt.press('Control+End')
  await prompt.pressSequentially(' In short: {{con')
  await complete(page, /^content/)
  await page.keyboard.type(' for {{reader}}')
  await page.getByText('No step writes “reader”: pass it in the context of the execution.').waitFor()
  await field('Model', page).pressSequentially('builtin:te')
  await choose(page, /^builtin:text/)
  // The other options are folded.
  const temperature = field('Temperature', page)
  expect(await temperature.count()).toBe(0)
  await page.locator('summary', { hasText: 'Advanced' }).press('Enter')

  // A validation error stands at its field.
  await temperature.fill('9')
  await expect.poll(() => temperature.getAttribute('aria-invalid')).toBe('true')
  const error = (await temperature.getAttribute('aria-describedby'))?.split(' ')[0]
  expect(await page.locator(`[id="${error}"]`).innerText()).toBe('Must be at most 2.')
  // Collapsed again, it opens when saving fails.
  await page.locator('summary', { hasText: 'Advanced' }).press('Enter')
  await temperature.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+s')
  await expect.poll(() => page.locator('input:focus').inputValue()).toBe('9')
  await temperature.fill('0.3')
  await expect.poll(() => temperature.getAttribute('aria-invalid')).not.toBe('true')
}

async function addRoutingOption(page: Page): Promise<void> {
  // Routing fields are there only with routing.
  expect(await field('Routing prompt', page).count()).toBe(0)
  await field('Agent routing', page).selectOption('true')
  await field('Name of a new routing option', page).pressSequentially('deeper')
  await page.keyboard.press('Enter')
  // A name applies on blur, and Tab moves to the next field.
  await field('Name of routing option deeper', page).fill('deep')
  await page.keyboard.press('Tab')
  const deep = page.getByRole('group', { name: 'deep', exact: true })
  await expect.poll(() => field('Add steps', deep).evaluate((it) => it.matches(':focus'))).toBe(true)
  await field('Add steps', deep).pressSequentially('more')
  await choose(page, /^more/)
  await deep.getByRole('list', { name: 'Add steps' }).getByText('more').waitFor()
  await field('Field', deep).pressSequentially('ana')
  await choose(page, /^analysis/)
  await field('Operator', deep).selectOption('contains')
  await field('Value', deep).pressSequentially('thin')
  await field('Continue to', deep).selectOption('end')
}

async function setConditions(page: Page): Promise<void> {
  await openStep(page, 'decide')
  const first = page.getByRole('group', { name: 'Condition 1', exact: true })
  await field('Field', first).fill('analysis')
  await field('Operator', first).selectOption('>=')
  await field('Value', first).pressSequentially('70')
  await first.getByText('Parsed as a number.').waitFor()
  await field('Next step', first).selectOption('call')
  await page.getByRole('button', { name: 'Add condition' }).press('Enter')
  // A new entry has the focus in its first field.
  await page.keyboard.type('metadata.language')
  const second = page.getByRole('group', { name: 'Condition 2', exact: true })
  await field('Operator', second).selectOption('in')
  await field('Value', second).pressSequentially('["de", "fr"')
  await second.getByText('Parsed as text.').waitFor()
  await page.keyboard.type(']')
  await second.getByText('Parsed as an array.').waitFor()
  await field('Type', second).selectOption('jump_to_step')
  await field('Target step', second).selectOption('end')
  await page.getByRole('button', { name: 'Move Condition 2 up' }).press('Enter')
  await page.locator('[aria-label="Move Condition 1 up"]:focus').waitFor()
}

async function rename(page: Page): Promise<void> {
  const id = field('ID', page)
  await id.fill('ask')
  await page.getByText('Another step has the ID “ask”.').waitFor()
  await id.fill('check')
  await id.press('Enter')
  await page.locator('[data-step=check]').waitFor()
  // It is the same form, and the same field.
  await expect.poll(() => page.locator('input:focus').inputValue()).toBe('check')
}

async function describeCall(page: Page): Promise<void> {
  await openStep(page, 'call')
  await page.getByRole('list', { name: 'Dependencies' }).getByText('check').waitFor()
  await field('Name of a new header', page).pressSequentially('authorisation')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Bearer {{ana')
  await complete(page, /^analysis/)
  await field('Name of header authorisation', page).fill('authorization')
  await page.keyboard.press('Tab')
  await page.locator('[aria-label="Value of authorization"]:focus').waitFor()
  await field('Body', page).pressSequentially('{"text": "{{content}}"')
  await page.getByText('Parsed as text.').waitFor()
  await page.keyboard.type('}')
  await page.getByText('Parsed as an object.').waitFor()
  await field('Timeout', page).pressSequentially('30s')
}

async function transform(page: Page): Promise<void> {
  await openStep(page, 'end')
  await page.getByRole('button', { name: 'Add source' }).press('Enter')
  await page.keyboard.type('ana')
  await choose(page, /^analysis/)
  await page.getByRole('button', { name: 'Add transformation' }).press('Enter')
  const second = page.getByRole('group', { name: 'Transformation 2', exact: true })
  await field('Operation', second).selectOption('generate_summary')
  await field('Template', second).pressSequentially('All: {{prev')
  await complete(page, /^previous/)
}

async function chooseAgent(page: Page): Promise<void> {
  await openStep(page, 'more')
  await field('Agent', page).fill('transl')
  await choose(page, /^translator/)
  await field('target_language', page).pressSequentially('German')
}

test('every type of step is filled in by keyboard alone, and saved correctly', {
  timeout: 180_000 * patience,
}, async () => {
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', { flow_definition: flow })
  await using visit = await tutti.visit({ path: '/workflows/form/edit?view=list' })
  const { page, complaints } = visit
  await fillInPrompt(page)
  await addRoutingOption(page)
  expect(await findViolations(page)).toEqual([])
  await setConditions(page)
  await rename(page)
  await describeCall(page)
  await transform(page)
  await chooseAgent(page)
  expect(await findViolations(page)).toEqual([])

  // The workflow itself, and its metadata.
  await page.locator('[data-step=more] [data-part=open]').press('Control+a')
  await page.getByRole('heading', { name: '5 steps selected' }).waitFor()
  await page.keyboard.press('Escape')
  await field('Tags', page).pressSequentially('one\ntwo')
  await field('Department', page).pressSequentially('News')
  await field('Approval required', page).selectOption('false')
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => readSidewaysScroll(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })

  // No model of this platform could answer for the agent.
  await page.getByText('1 warning', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+s')
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
  await untilShown(page, 'Saved as version 2', () => pressAt(save))
  const { flow_definition: saved, metadata } = await administer<{
    flow_definition: typeof flow
    metadata: object
  }>(tutti.platform, 'GET', '/ai-workflows/api/flows/form')
  expect(metadata).toMatchObject({ department: 'News', approval_required: false })
  expect(saved).toMatchObject({ tags: ['one', 'two'] })
  expect(Object.fromEntries(saved.steps.map((step) => [step.id, step]))).toEqual({
    ask: {
      id: 'ask',
      type: 'ai_prompt',
      prompt: 'Analyse {{content}}. In short: {{content}} for {{reader}}',
      output_to_memory: 'analysis',
      ai_options: { model: 'builtin:text', temperature: 0.3 },
      agent_routing: true,
      routing_options: {
        deep: {
          add_steps: ['more'],
          condition: { field: 'analysis', operator: 'contains', value: 'thin' },
          continue_to: 'end',
        },
      },
    },
    more: {
      id: 'more',
      type: 'agent',
      agent: 'translator',
      parameters: { target_language: 'German' },
    },
    check: {
      id: 'check',
      type: 'conditional',
      dependencies: ['ask'],
      conditions: [
        {
          field: 'metadata.language',
          operator: 'in',
          value: ['de', 'fr'],
          action: { type: 'jump_to_step', target_step: 'end' },
        },
        {
          field: 'analysis',
          operator: '>=',
          value: 70,
          action: { type: 'continue', next_step: 'call' },
        },
      ],
    },
    call: {
      id: 'call',
      type: 'external_api',
      dependencies: ['check'],
      api: {
        url: 'https://example.com/{{steps.check.target}}',
        headers: { authorization: 'Bearer {{analysis}}' },
        body: { text: '{{content}}' },
        timeout: '30s',
      },
    },
    end: {
      id: 'end',
      type: 'data_transform',
      dependencies: ['check'],
      transformations: [
        { operation: 'merge', sources: ['analysis'] },
        { operation: 'generate_summary', template: 'All: {{previous}}' },
      ],
    },
  })
  expect(complaints).toEqual([])
})
