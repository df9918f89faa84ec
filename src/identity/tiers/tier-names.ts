/** The tiers an account can have, lowest first. */
export const tierNames = ['basic', 'professional', 'enterprise', 'custom'] as const
