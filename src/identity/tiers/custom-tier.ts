import { refineSetting, setting } from '#kernel/config'
import type { TierLimits } from './tiers.ts'

const upperLimits = { requests: 1_000_000_000, workflows: 1_000_000, microDollars: 1e15 }

/** The setting that defines the limits of the custom tier. */
export const customTierSetting = refineSetting(
  setting.text('TUTTI_CUSTOM_TIER', {
    about: 'Limits of the tier `custom`: requests per hour, concurrent workflows, dollars per day',
    default: '1000,20,100',
  }),
  readCustomTier,
)

function readCustomTier(text: string): TierLimits {
  const [requests, workflows, dollars, ...more] = text.split(',').map((part) => part.trim())
  const requestsPerHour = readWhole(requests, upperLimits.requests)
  const concurrentWorkflows = readWhole(workflows, upperLimits.workflows)
  const microDollarsPerDay = readMicroDollars(dollars)
  const incomplete =
    requestsPerHour === undefined || concurrentWorkflows === undefined || microDollarsPerDay === undefined
  if (incomplete || more.length > 0) {
    throw new Error(
      `must be requests per hour, concurrent workflows and dollars per day, such as 1000,20,100, not "${text}"`,
    )
  }
  return { requestsPerHour, concurrentWorkflows, microDollarsPerDay }
}

function readWhole(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined
  const value = Number(text)
  return value >= 1 && value <= max ? value : undefined
}

/** Parses the digits as an integer: a fraction of a dollar has no exact binary representation. */
function readMicroDollars(text: string | undefined): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text ?? '') ?? []
  if (whole === undefined) return undefined
  const microDollars = Number(`${whole}${fraction.padEnd(6, '0')}`)
  return microDollars <= upperLimits.microDollars ? microDollars : undefined
}
