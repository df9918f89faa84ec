import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { waitForStillness } from './in-page.ts'

/** The rules whose result depends on the colour scheme. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** The axe violations of a settled page, one line each. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const axe = (await page.evaluate<boolean>('"axe" in window'))
    ? broughtBefore(page)
    : new AxeBuilder({ page })
  return await run(page, axe.options({ resultTypes: ['violations'] }))
}

/** The colour violations of a page, after `findViolations` has checked the rest. */
export async function findColourViolations(page: Page): Promise<readonly string[]> {
  return await run(
    page,
    broughtBefore(page)
      .options({ resultTypes: ['violations'] })
      .withRules(rulesOfColour),
  )
}

/** For a page that has axe already: half a megabyte of script need not be read again. */
function broughtBefore(page: Page): AxeBuilder {
  return new AxeBuilder({ page, axeSource: ';' })
}

async function run(page: Page, axe: AxeBuilder): Promise<readonly string[]> {
  await waitForStillness(page)
  // Pages have no cross-origin frames, for which axe would open a second page each time.
  const { violations } = await axe.setLegacyMode(true).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
