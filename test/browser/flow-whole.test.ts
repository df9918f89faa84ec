import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { pressAt, untilShown, waitForIdle } from './in-page.ts'

/** A flow with every type of step, a condition and agent routing, from an empty canvas to its second version and back. */

let openai: OpenAiServer
let service: Server
let serviceUrl: string
/** Whether the service that the flow calls is available. */
let serviceWorks = false
let tutti: ConsoleUnderTest

beforeEach(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  service = createServer((_request, response) => {
    response.writeHead(serviceWorks ? 200 : 500, { 'content-type': 'application/json' })
    response.end(serviceWorks ? '{"found": 3}' : '{"error": "closed"}')
  })
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve)
  })
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  tutti = await openConsole({
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_API_KEY: 'sk-right',
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
  })
})
afterEach(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
  service.close()
})

const model = 'openai/gpt-4o-mini'

/** A step added in the list depends on the previous one; on the canvas only lines count. */
const after = (id: string, ...steps: readonly string[]) =>
  id === 'by-keyboard' ? { dependencies: steps } : {}

/** The workflow that both tests build. */
const built = (id: string) => ({
  id,
  label: id === 'by-mouse' ? 'By mouse' : 'By keyboard',
  steps: {
    ask: {
      type: 'ai_prompt',
      prompt: 'Review {{content}}',
      ai_options: { model },
      output_to_memory: 'review',
      agent_routing: true,
      routing_options: {
        deep: { add_steps: ['more'], continue_to: 'decide' },
        fine: { continue_to: 'decide' },
      },
    },
    more: { type: 'data_transform', transformations: [{ operation: 'merge' }] },
    decide: {
      type: 'conditional',
      ...after(id, 'ask'),
      conditions: [{ field: 'review', operator: 'exists', action: { type: 'continue', next_step: 'call' } }],
      default_action: { type: 'continue', next_step: 'end' },
    },
    call: {
      type: 'external_api',
      ...after(id, 'decide'),
      api: { url: `${serviceUrl}/stories`, method: 'GET', retry_attempts: 0 },
      retry_config: { max_attempts: 1 },
      output_to_memory: 'stories',
    },
    end: { type: 'data_transform', transformations: [{ operation: 'merge' }], dependencies: ['call'] },
  },
})

interface Saved {
  readonly flow_definition: { readonly label: string; readonly steps: readonly { readonly id: string }[] }
}

async function isSavedAsMeant(id: string): Promise<void> {
  const { flow_definition: saved } = await administer<Saved>(
    tutti.platform,
    'GET',
    `/ai-workflows/api/flows/${id}`,
  )
  expect({
    id,
    label: saved.label,
    steps: Object.fromEntries(saved.steps.map(({ id: step, ...rest }) => [step, rest])),
  }).toEqual(built(id))
}

/** A text field: those with completion have the role combobox. */
function field(name: string, within: Page | Locator): Locator {
  const exactly = { name, exact: true }
  return within.getByRole('textbox', exactly).or(within.getByRole('combobox', exactly)).first()
}

const kind = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Step palette' }).getByRole('button', { name: title })

/** Sets the id of the step added last. */
async function nameStep(page: Page, from: string, to: string): Promise<void> {
  await expect.poll(() => field('ID', page).inputValue()).toBe(from)
  if (from === to) return
  await field('ID', page).fill(to)
  await field('ID', page).press('Enter')
  await page.locator(`[data-step="${to}"], .react-flow__node[data-id="${to}"]`).first().waitFor()
}

const click = (target: Locator) => target.click()
const press = (target: Locator) => pressAt(target)

const stateOf = (page: Page) => page.locator('dl').first()

/** Runs a saved flow, which fails, then recovers, forks and compares it. */
async function runRecoverForkCompare(page: Page, id: string, act: (target: Locator) => Promise<void>) {
  const { label } = built(id)
  const goOn = Promise.withResolvers<void>()
  serviceWorks = false
  openai.script({
    steps: [{ text: 'A calm ' }, { text: 'text' }, { until: goOn.promise }, { text: ', and short.' }],
    usage: { input: 20, output: 8 },
  })
  // The agent uses the same model.
  openai.script({ steps: [{ text: '{"option": "fine", "reasoning": "It reads well.", "confidence": 0.9}' }] })
  await page.goto(`/workflows/${id}`)
  await waitForPage(page, label)
  await act(page.getByRole('button', { name: 'Run', exact: true }))
  await act(page.getByRole('dialog', { name: `Run ${label}` }).getByRole('button', { name: 'Run' }))
  await page.waitForURL(/\/executions\/[0-9a-f-]{36}/)
  const origin = page.url()
  await page.getByRole('region', { name: 'Live output' }).getByText('A calm text').waitFor()
  await stateOf(page).getByText('Running').waitFor()
  goOn.resolve()

  const failure = page.getByRole('region', { name: 'Failure' })
  await failure.getByText('Failed at “call”').waitFor()
  serviceWorks = true
  await act(failure.getByRole('button', { name: 'Retry the failed step' }))
  await stateOf(page).getByText('Completed').waitFor()
  await failure.waitFor({ state: 'detached' })

  await act(
    page.getByRole('list', { name: 'Steps over time' }).getByRole('button', { name: 'end', exact: false }),
  )
  await act(page.getByRole('button', { name: 'Fork from here' }))
  const fork = page.getByRole('dialog', { name: 'Fork from end' })
  await fork.getByLabel('Input').fill('{"content": "Another text."}')
  await act(fork.getByRole('button', { name: 'Fork', exact: true }))
  await page.waitForURL((url) => /\/executions\/[0-9a-f-]{36}/.test(url.pathname) && url.href !== origin)
  await stateOf(page).getByText('Completed').waitFor()
  await act(page.getByRole('link', { name: 'Compare with the original' }))
  await waitForPage(page, 'Compare executions')
}

/** Saves a second version, and rolls back to the first. */
async function changeAndRollBack(page: Page, id: string, act: (target: Locator) => Promise<void>) {
  await page.goto(`/workflows/${id}/edit?view=list`)
  await act(page.locator('[data-step="ask"] [data-part="open"]'))
  const prompt = field('Prompt', page)
  await prompt.press('Control+End')
  await prompt.pressSequentially(' kindly')
  await page.getByText('No problems', { exact: true }).first().waitFor()
  await act(page.getByRole('button', { name: 'Save', exact: true }))
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Save' })
  await untilShown(page, 'Saved as version 2', () => act(confirm))
  await page.goto(`/workflows/${id}?tab=versions`)
  await act(page.getByRole('button', { name: 'Roll back to revision 1' }))
  await act(page.getByRole('button', { name: 'Roll back', exact: true }))
  await page.getByText('3, current', { exact: true }).waitFor()
  await isSavedAsMeant(id)
}

async function save(page: Page, id: string, act: (target: Locator) => Promise<void>): Promise<void> {
  await page.getByText('No problems', { exact: true }).first().waitFor()
  await act(page.getByRole('button', { name: 'Save', exact: true }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Label', exact: true }).fill(built(id).label)
  expect(await dialog.getByRole('textbox', { name: 'Id', exact: false }).inputValue()).toBe(id)
  await act(dialog.getByRole('button', { name: 'Save' }))
  await page.waitForURL(`**/workflows/${id}/edit**`)
  await isSavedAsMeant(id)
}

async function middleOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error('not to be seen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('a flow is built, run, recovered, forked, compared and rolled back with the mouse', {
  timeout: 240_000,
}, async () => {
  await using visit = await tutti.visit({ path: '/workflows/new', viewport: { width: 1600, height: 1000 } })
  const { page, complaints } = visit
  const step = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
  const surface = page.locator('.react-flow')
  const drag = async (from: Locator, to: Locator) => {
    // The canvas moves steps a frame after it has shown them.
    await waitForIdle(page)
    const [start, end] = [await middleOf(from), await middleOf(to)]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
    await page.mouse.move(end.x, end.y, { steps: 4 })
    await page.mouse.up()
  }
  const drop = async (title: string, at: { x: number; y: number }) => {
    await page
      .getByRole('list', { name: 'Step types' })
      .getByRole('listitem')
      .filter({ hasText: title })
      .dragTo(surface, { targetPosition: at })
  }
  await page.getByText('This workflow has no steps yet.').waitFor()

  await drop('Prompt', { x: 320, y: 60 })
  await nameStep(page, 'ask', 'ask')
  await field('Prompt', page).fill('Review {{content}}')
  await field('Model', page).fill(model)
  await field('Output to memory', page).fill('review')
  await field('Agent routing', page).selectOption('true')
  for (const option of ['deep', 'fine']) {
    await field('Name of a new routing option', page).fill(option)
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: option, exact: true }).waitFor()
  }
  await drop('Transform', { x: 560, y: 260 })
  await nameStep(page, 'transform', 'more')
  await drop('Condition', { x: 160, y: 330 })
  await nameStep(page, 'decide', 'decide')
  const condition = page.getByRole('group', { name: 'Condition 1', exact: true })
  await field('Field', condition).fill('review')
  await drop('HTTP request', { x: 160, y: 560 })
  await nameStep(page, 'call', 'call')
  await field('URL', page).fill(`${serviceUrl}/stories`)
  await field('Retry attempts', page).fill('0')
  await page.locator('summary', { hasText: 'Advanced' }).click()
  await page.locator('summary', { hasText: 'Retry config' }).click()
  await field('Max attempts', page).fill('1')
  await field('Output to memory', page).fill('stories')
  await drop('Transform', { x: 440, y: 720 })
  await nameStep(page, 'transform', 'end')

  const branch = (id: string, label: string) =>
    step(id).getByTitle(`Drag to the step that runs when ${label}`)
  const end = (id: string) => step(id).getByTitle('Drag to the next step')
  const told = async (text: string) => {
    await page.getByRole('status').getByText(text).waitFor()
    // The new line is selected, and its buttons cover the next target.
    await page.keyboard.press('Escape')
  }
  await drag(branch('ask', 'deep'), step('decide'))
  await told('Connected ask to decide when deep.')
  await drag(branch('ask', 'deep'), step('more'))
  await told('Connected ask to more when deep.')
  await drag(branch('ask', 'fine'), step('decide'))
  await told('Connected ask to decide when fine.')
  await drag(branch('decide', 'review exists'), step('call'))
  await told('Connected decide to call when review exists.')
  await drag(branch('decide', 'otherwise'), step('end'))
  await told('Connected decide to end when otherwise.')
  await drag(end('call'), step('end'))
  await told('Connected call to end.')
  await save(page, 'by-mouse', click)

  await runRecoverForkCompare(page, 'by-mouse', click)
  await changeAndRollBack(page, 'by-mouse', click)
  expect(complaints).toEqual([])
})

test('the same flow is built, run, recovered, forked, compared and rolled back by keyboard', {
  timeout: 180_000,
}, async () => {
  await using visit = await tutti.visit({ path: '/workflows/new?view=list' })
  const { page, complaints } = visit
  const add = async (title: string, from: string, to: string) => {
    await press(kind(page, title))
    await nameStep(page, from, to)
  }
  const open = (id: string) => press(page.locator(`[data-step="${id}"] [data-part="open"]`))
  await page.getByText('This workflow has no steps yet.').waitFor()

  await add('Prompt', 'ask', 'ask')
  await field('Prompt', page).fill('Review {{content}}')
  await field('Model', page).fill(model)
  await field('Output to memory', page).fill('review')
  await add('Condition', 'decide', 'decide')
  const condition = page.getByRole('group', { name: 'Condition 1', exact: true })
  await field('Field', condition).fill('review')
  await add('HTTP request', 'call', 'call')
  await field('URL', page).fill(`${serviceUrl}/stories`)
  await field('Retry attempts', page).fill('0')
  await press(page.locator('summary', { hasText: 'Advanced' }))
  await press(page.locator('summary', { hasText: 'Retry config' }))
  await field('Max attempts', page).fill('1')
  await field('Output to memory', page).fill('stories')
  await add('Transform', 'transform', 'end')
  await add('Transform', 'transform', 'more')
  await press(page.locator('[data-step="more"] [data-part="after"]'))
  await pressAt(page.getByRole('checkbox', { name: /\. end$/ }), 'Space')
  await page.keyboard.press('Escape')

  await open('decide')
  await field('Next step', condition).selectOption('call')
  await press(page.locator('summary', { hasText: 'Default action' }))
  const otherwise = page.locator('details', { hasText: 'Default action' })
  await field('Type', otherwise).selectOption('continue')
  await field('Next step', otherwise).selectOption('end')
  await open('ask')
  await field('Agent routing', page).selectOption('true')
  for (const option of ['deep', 'fine']) {
    await field('Name of a new routing option', page).fill(option)
    await page.keyboard.press('Enter')
    const group = page.getByRole('group', { name: option, exact: true })
    await field('Continue to', group).selectOption('decide')
    if (option === 'fine') continue
    await field('Add steps', group).pressSequentially('more')
    await page.getByRole('option', { name: /^more/ }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await save(page, 'by-keyboard', press)

  await runRecoverForkCompare(page, 'by-keyboard', press)
  await changeAndRollBack(page, 'by-keyboard', press)
  expect(complaints).toEqual([])
})
