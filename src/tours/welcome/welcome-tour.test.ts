import { expect, test } from 'vitest'
import { checkSelector } from '../content/check-selector.ts'
import { cleanBody } from '../content/clean-body.ts'
import { welcomeTour } from './welcome-tour.ts'

test('every step of the welcome tour is valid', () => {
  const { tips, routes } = welcomeTour
  expect(new Set(tips.map(({ id }) => id)).size).toBe(tips.length)
  for (const tip of tips) {
    expect(tip.id).toMatch(/^[a-z0-9_-]{1,64}$/)
    expect(tip.label).not.toBe('')
    expect(cleanBody(tip.body)).toBe(tip.body)
    for (const selector of [tip.selector, ...tip.candidates].filter((one) => one !== '')) {
      expect(checkSelector(selector)).toBeUndefined()
    }
    if (tip.route !== null) expect(routes).toContainEqual({ route_name: tip.route })
  }
})
