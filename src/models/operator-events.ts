/** The types of operator events for the audit log. */
export const modelsOperatorEventTypes = [
  'models.provider_key_stored',
  'models.provider_key_removed',
  'models.price_set',
  'models.price_removed',
] as const
