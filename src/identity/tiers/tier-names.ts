/** The tiers an account can have, the lowest first. */
export const tierNames = ['basic', 'professional', 'enterprise', 'custom'] as const
