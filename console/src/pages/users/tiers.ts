/** The usage tiers of accounts. */
export const tiers = ['basic', 'professional', 'enterprise', 'custom'] as const

export type Tier = (typeof tiers)[number]

/** The tier of a name; the API returns no other names. */
export function tierOf(name: string): Tier {
  return tiers.find((tier) => tier === name) ?? 'professional'
}
