import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, authorizeUrl } from '../http/oauth-support.ts'
import { type ConsentUnderTest, openConsent, signIn } from './consent-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'

let consent: ConsentUnderTest
beforeAll(async () => {
  consent = await openConsent()
})
afterAll(() => consent?.[Symbol.asyncDispose]())

test('the authorization pages render correctly, light or dark, at 1000 or 360 pixels', async () => {
  const person = await addPerson(consent.server)
  const client = await consent.registerApplication(
    'The very well known reader of orchestral scores and parts',
  )
  await using visiting = await consent.visit()
  const { page } = visiting

  async function check(): Promise<void> {
    for (const width of [1000, 360]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await readSidewaysScroll(page), `${width} pixels`).toBe(0)
      expect(await findViolations(page), `${width} pixels, light`).toEqual([])
      await switchColours(page, 'dark')
      expect(await findColourViolations(page), `${width} pixels, dark`).toEqual([])
      await switchColours(page, 'light')
    }
  }

  await page.goto(authorizeUrl(consent.server, client, { scope: 'models.read' }))
  await signIn(page, person)
  await page.getByRole('heading', { name: /^Allow/ }).waitFor()
  await check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await consent.landing(page)

  await page.goto(authorizeUrl(consent.server, client))
  await page.getByRole('heading', { name: 'It now also wants to' }).waitFor()
  await check()

  await page.goto(authorizeUrl(consent.server, client, { redirect_uri: 'https://evil.example/' }))
  await page.getByRole('heading', { name: 'Invalid request' }).waitFor()
  await check()
})
