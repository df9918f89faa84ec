/** The columns of the list that can be hidden, by their name in the address. */
export const hideableColumns = [
  { id: 'version', title: 'Version' },
  { id: 'trigger', title: 'Trigger' },
  { id: 'account', title: 'Account' },
  { id: 'duration', title: 'Duration' },
  { id: 'cost', title: 'Cost' },
  { id: 'tokens', title: 'Tokens' },
  { id: 'created', title: 'Created' },
] as const

export type HideableColumn = (typeof hideableColumns)[number]['id']
