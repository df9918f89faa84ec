import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'

/** Typing in a flow of 500 steps. Only the processor time of the page is measured, so that a busy machine hardly matters. */

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', { flow_definition: large })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const large = {
  id: 'large',
  label: 'Large',
  steps: Array.from({ length: 500 }, (_, index) => ({
    id: `step_${index}`,
    type: 'ai_prompt',
    prompt: `Improve {{content}}${index === 0 ? '' : ` and {{memory_${index - 1}}}`}`,
    output_to_memory: `memory_${index}`,
    ...(index === 0 ? {} : { dependencies: [`step_${index - 1}`] }),
  })),
}

/** The work of the page per key in milliseconds, in ascending order: scripts, styles and layout. */
async function workPerKey(page: Page, text: string): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const named = (name: string) => metrics.find((it) => it.name === name)?.value ?? 0
    return (named('ScriptDuration') + named('LayoutDuration') + named('RecalcStyleDuration')) * 1000
  }
  const found: number[] = []
  for (const key of text) {
    const before = await read()
    await page.keyboard.type(key)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    found.push((await read()) - before)
  }
  return found.toSorted((left, right) => left - right)
}

const typed = 'and answer in one friendly sentence only'

test.each(['canvas', 'list'] as const)(
  'a key is handled within 50 ms, on the %s',
  async (view) => {
    await using visit = await tutti.visit({
      path: `/workflows/large/edit?step=step_250${view === 'list' ? '&view=list' : ''}`,
      viewport: { width: 1440, height: 900 },
    })
    const { page } = visit
    await page.getByRole('heading', { level: 2, name: 'step_250' }).waitFor()
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).click()
    await page.keyboard.press('Control+End')
    await workPerKey(page, 'warm up')
    const work = await workPerKey(page, typed)
    const median = work[Math.floor(work.length / 2)] ?? 0
    expect(median).toBeLessThan(50)
  },
  180_000 * patience,
)
