import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureConsoleBuilt } from '../../scripts/build-console.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { addPerson } from './administer.ts'
import { type ConsoleUnderTest, openConsoleOf, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'

let tutti: ConsoleUnderTest & { readonly platform: PlatformInProcess }
beforeAll(async () => {
  await ensureConsoleBuilt({ log: () => undefined })
  tutti = await openConsoleOf(await openPlatform({}, { maintenance: false }))
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

test('the settings list accounts near their limit, each with a link to the account', async () => {
  const { id } = await addPerson(tutti.platform, 'fanny')
  await addPerson(tutti.platform, 'felix')
  // A professional account has ten dollars a day.
  await tutti.platform.database.query(
    `insert into model_spend_scopes (scope, period, spent, reserved) values ($1, model_spend_period('day', now()), $2, 0)`,
    [`account:${id}`, 8_500_000],
  )
  await using visit = await tutti.visit({ path: '/settings' })
  const { page, complaints } = visit
  await waitForPage(page, 'Platform settings')
  const table = page.getByRole('table', { name: 'Accounts near a limit' })
  await table.getByRole('meter', { name: 'Budget of fanny' }).waitFor()
  const row = table.getByRole('row').filter({ hasText: 'fanny' })
  expect(await row.innerText()).toMatch(/\$8\.50 of \$10\.00[\s\S]*near limit/i)
  expect(await table.getByRole('row').count()).toBe(2)
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  await waitForStillness(page)
  expect(await readSidewaysScroll(page)).toBe(0)
  await row.getByRole('link', { name: 'fanny' }).press('Enter')
  await page.getByRole('dialog', { name: 'fanny' }).waitFor()
  expect(complaints).toEqual([])
})
