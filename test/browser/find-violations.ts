import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { waitForStillness } from './in-page.ts'

/** The rules that can find something else in a page that merely changed its colours. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** What axe finds wrong with a page once it is still, in a line each. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const axe = (await page.evaluate<boolean>('"axe" in window'))
    ? broughtBefore(page)
    : new AxeBuilder({ page })
  return await run(page, axe.options({ resultTypes: ['violations'] }))
}

/** What axe finds wrong with the colours of a page, where `findViolations` looked at all else before. */
export async function findColourViolations(page: Page): Promise<readonly string[]> {
  return await run(
    page,
    broughtBefore(page)
      .options({ resultTypes: ['violations'] })
      .withRules(rulesOfColour),
  )
}

/** For a page that has axe since an earlier look: half a megabyte of script need not be read again. */
function broughtBefore(page: Page): AxeBuilder {
  return new AxeBuilder({ page, axeSource: ';' })
}

async function run(page: Page, axe: AxeBuilder): Promise<readonly string[]> {
  await waitForStillness(page)
  // There is nothing of another origin in a page, for which alone a second page would have to be opened each time.
  const { violations } = await axe.setLegacyMode(true).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
