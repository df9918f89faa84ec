import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { untilShown } from './in-page.ts'
import type { Act } from './run-jobs.ts'
import { stateOf, timeline } from './runs-under-test.ts'

/** For a flow with every type of step, a condition and agent routing, from an empty canvas to its second version and back. */
export interface WholeFlow extends AsyncDisposable {
  readonly tutti: ConsoleUnderTest
  readonly openai: OpenAiServer
  /** The service that the flow calls. */
  readonly service: { readonly url: string; isAvailable: boolean }
}

export async function openWholeFlow(): Promise<WholeFlow> {
  await using opening = new AsyncDisposableStack()
  const openai = opening.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  const server = createServer((_request, response) => {
    response.writeHead(service.isAvailable ? 200 : 500, { 'content-type': 'application/json' })
    response.end(service.isAvailable ? '{"found": 3}' : '{"error": "closed"}')
  })
  opening.defer(() => void server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const service = { url: `http://127.0.0.1:${port}/stories`, isAvailable: false }
  const tutti = opening.use(
    await openConsole({
      OPENAI_BASE_URL: openai.baseUrl,
      OPENAI_API_KEY: 'sk-right',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
    }),
  )
  const opened = opening.move()
  return { tutti, openai, service, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export const model = 'openai/gpt-4o-mini'

/** A step added in the list depends on the previous one; on the canvas only lines count. */
const after = (id: string, ...steps: readonly string[]) =>
  id === 'by-keyboard' ? { dependencies: steps } : {}

const labelOf = (id: string) => (id === 'by-mouse' ? 'By mouse' : 'By keyboard')

/** The workflow that both ways build. */
const built = ({ service }: WholeFlow, id: string) => ({
  id,
  label: labelOf(id),
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
      api: { url: service.url, method: 'GET', retry_attempts: 0 },
      retry_config: { max_attempts: 1 },
      output_to_memory: 'stories',
    },
    end: { type: 'data_transform', transformations: [{ operation: 'merge' }], dependencies: ['call'] },
  },
})

interface Saved {
  readonly flow_definition: { readonly label: string; readonly steps: readonly { readonly id: string }[] }
}

async function isSavedAsMeant(whole: WholeFlow, id: string): Promise<void> {
  const { flow_definition: saved } = await administer<Saved>(
    whole.tutti.platform,
    'GET',
    `/ai-workflows/api/flows/${id}`,
  )
  expect({
    id,
    label: saved.label,
    steps: Object.fromEntries(saved.steps.map(({ id: step, ...rest }) => [step, rest])),
  }).toEqual(built(whole, id))
}

/** A text field: those with completion have the role combobox. */
export function field(name: string, within: Page | Locator): Locator {
  const exactly = { name, exact: true }
  return within.getByRole('textbox', exactly).or(within.getByRole('combobox', exactly)).first()
}

export const kind = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Step palette' }).getByRole('button', { name: title })

/** Sets the id of the step added last. */
export async function nameStep(page: Page, from: string, to: string): Promise<void> {
  await expect.poll(() => field('ID', page).inputValue()).toBe(from)
  if (from === to) return
  await field('ID', page).fill(to)
  await field('ID', page).press('Enter')
  await page.locator(`[data-step="${to}"], .react-flow__node[data-id="${to}"]`).first().waitFor()
}

/** Runs a saved flow, which fails, then recovers, forks and compares it. */
export async function runRecoverForkCompare(
  whole: WholeFlow,
  page: Page,
  id: string,
  act: Act,
): Promise<void> {
  const { openai, service } = whole
  const label = labelOf(id)
  const goOn = Promise.withResolvers<void>()
  service.isAvailable = false
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
  service.isAvailable = true
  await act(failure.getByRole('button', { name: 'Retry the failed step' }))
  await stateOf(page).getByText('Completed').waitFor()
  await failure.waitFor({ state: 'detached' })

  await act(timeline(page).getByRole('button', { name: 'end', exact: false }))
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
export async function changeAndRollBack(whole: WholeFlow, page: Page, id: string, act: Act): Promise<void> {
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
  await isSavedAsMeant(whole, id)
}

export async function save(whole: WholeFlow, page: Page, id: string, act: Act): Promise<void> {
  await page.getByText('No problems', { exact: true }).first().waitFor()
  await act(page.getByRole('button', { name: 'Save', exact: true }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Label', exact: true }).fill(labelOf(id))
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Id', exact: false }).inputValue()).toBe(id)
  await act(dialog.getByRole('button', { name: 'Save' }))
  await page.waitForURL(`**/workflows/${id}/edit**`)
  await isSavedAsMeant(whole, id)
}
