/** How much an account may use, as the forms offer it. */
export const tiers = ['basic', 'professional', 'enterprise', 'custom'] as const

export type Tier = (typeof tiers)[number]

/** The tier of that name; the platform names no other. */
export function tierOf(name: string): Tier {
  return tiers.find((tier) => tier === name) ?? 'professional'
}
