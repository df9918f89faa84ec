import { describe, expect, test } from 'vitest'
import { defineSettings, readSettings } from '#kernel/config'
import { UserError } from '#kernel/errors'
import { identitySettings } from './settings.ts'
import { createTiers, tierNames } from './tiers.ts'

const group = defineSettings({ customTier: identitySettings.customTier })
const readCustom = (text?: string) => readSettings(group, { TUTTI_CUSTOM_TIER: text }).customTier

describe('the tiers', () => {
  const { limitsOfTier } = createTiers({ customTier: readCustom() })

  test.each([
    ['basic', 100, 2, 1_000_000],
    ['professional', 500, 5, 10_000_000],
    ['enterprise', 2000, 20, 100_000_000],
    ['custom', 1000, 20, 100_000_000],
  ])('%s: %i requests an hour, %i workflows, %i micro-dollars a day', (name, requests, workflows, money) => {
    expect(tierNames).toContain(name)
    expect(limitsOfTier(name)).toEqual({
      requestsPerHour: requests,
      concurrentWorkflows: workflows,
      microDollarsPerDay: money,
    })
  })

  test.each(['platinum', 'constructor', ''])('the unknown tier %j has the limits of basic', (name) => {
    expect(limitsOfTier(name)).toEqual(limitsOfTier('basic'))
  })
})

describe('TUTTI_CUSTOM_TIER', () => {
  test.each([
    ['50,1,0', { requestsPerHour: 50, concurrentWorkflows: 1, microDollarsPerDay: 0 }],
    [
      ' 5000 , 40 , 12.5 ',
      { requestsPerHour: 5000, concurrentWorkflows: 40, microDollarsPerDay: 12_500_000 },
    ],
    ['1,1,0.29', { requestsPerHour: 1, concurrentWorkflows: 1, microDollarsPerDay: 290_000 }],
    ['', { requestsPerHour: 1000, concurrentWorkflows: 20, microDollarsPerDay: 100_000_000 }],
  ])('%j is accepted', (text, limits) => {
    expect(readCustom(text)).toEqual(limits)
  })

  test.each([
    '1000,20',
    '1000,20,100,1',
    '0,20,100',
    '1000,0,100',
    '-1,20,100',
    '1000,20,-1',
    '1e3,20,100',
    '1000,20,$100',
    '1000,20,0.1234567',
    '9999999999,20,100',
    '1000,20,9999999999',
    'plenty',
  ])('%j is refused with an error that quotes it', (text) => {
    expect(() => readCustom(text)).toThrow(
      new UserError(
        `TUTTI_CUSTOM_TIER must be requests per hour, concurrent workflows and dollars per day, such as 1000,20,100, not "${text}"`,
      ),
    )
  })
})
