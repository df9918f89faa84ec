import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, authorizeUrl, redeem, tokensOf, worksAt } from '../http/oauth-support.ts'
import { type ConsentUnderTest, openConsent, signIn } from './consent-under-test.ts'

let consent: ConsentUnderTest
beforeAll(async () => {
  consent = await openConsent()
})
afterAll(() => consent?.[Symbol.asyncDispose]())

describe('authorizing an application', () => {
  test.each([
    { scripts: 'with scripts', javaScriptEnabled: true },
    { scripts: 'without scripts', javaScriptEnabled: false },
  ])(
    'a user signs in, allows access and is redirected with a code, $scripts',
    async ({ javaScriptEnabled }) => {
      const person = await addPerson(consent.server)
      const client = await consent.registerApplication()
      await using visiting = await consent.visit({ javaScriptEnabled })
      const { page, complaints } = visiting
      await page.goto(authorizeUrl(consent.server, client, { scope: 'models.read', state: 'here' }))
      await signIn(page, person)
      await page.getByRole('heading', { name: 'Allow Score reader to use your account?' }).waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
      const landed = await consent.landing(page)
      expect(landed.searchParams.get('state')).toBe('here')
      const tokens = await tokensOf(
        await redeem(consent.server, client, landed.searchParams.get('code') ?? ''),
      )
      expect(await worksAt(consent.server, tokens.access_token)).toBe(true)

      // Granted consent is not requested again: the sign-in form redirects to the application.
      await page.context().clearCookies()
      await page.goto(authorizeUrl(consent.server, client, { scope: 'models.read', state: 'again' }))
      await signIn(page, person)
      expect((await consent.landing(page)).searchParams.get('state')).toBe('again')
      expect(complaints).toEqual([])
    },
  )

  test('a user who denies access is redirected with the error', async () => {
    const person = await addPerson(consent.server)
    const client = await consent.registerApplication()
    await using visiting = await consent.visit()
    const { page, complaints } = visiting
    await page.goto(authorizeUrl(consent.server, client, { state: 'here' }))
    await signIn(page, person)
    await page.getByRole('button', { name: 'Deny' }).click()
    const landed = await consent.landing(page)
    expect(landed.searchParams.get('error')).toBe('access_denied')
    expect(landed.searchParams.get('state')).toBe('here')
    expect(complaints).toEqual([])
  })

  test('a user decides with the keyboard alone', async () => {
    const person = await addPerson(consent.server)
    const client = await consent.registerApplication()
    await using visiting = await consent.visit()
    const { page } = visiting
    await page.goto(authorizeUrl(consent.server, client))
    await signIn(page, person)
    await page.getByRole('heading', { name: /^Allow/ }).waitFor()
    // The buttons come after the heading.
    await page.waitForLoadState()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Deny')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect((await consent.landing(page)).searchParams.has('code')).toBe(true)
  })

  test('another user signs in and is asked for their own consent', async () => {
    const first = await addPerson(consent.server)
    const second = await addPerson(consent.server)
    const client = await consent.registerApplication()
    await using visiting = await consent.visit()
    const { page, complaints } = visiting
    await page.goto(authorizeUrl(consent.server, client))
    await signIn(page, first)
    await page.getByText(`Signed in as ${first.username}`).waitFor()
    await page.getByRole('button', { name: 'Not you?' }).click()
    await signIn(page, second)
    await page.getByText(`Signed in as ${second.username}`).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    expect((await consent.landing(page)).searchParams.has('code')).toBe(true)
    expect(complaints).toEqual([])
  })
})
