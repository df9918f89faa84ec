import type { Setting } from './settings-query.ts'

/** Texts as typed, by the name of the setting; only fields that were changed. */
export type Draft = Readonly<Record<string, string>>

/** The text that the field of a setting shows before it is changed. Secrets are never shown. */
export function shownText({ secret, value, kind, choices, default: fallback }: Setting): string {
  if (secret) return ''
  // Free text fields show the default as their placeholder; others have no empty state.
  return value ?? (isFlag(kind) || choices !== null ? (fallback ?? '') : '')
}

export function isFlag(kind: string): boolean {
  return kind === 'true or false'
}

/** The changes to send: null, the default, for a field that was emptied. Fields that show their value again are left out. */
export function changesOf(draft: Draft, settings: readonly Setting[]): Record<string, string | null> {
  const changes: Record<string, string | null> = {}
  for (const setting of settings) {
    const text = draft[setting.name]?.trim()
    if (text === undefined || text === shownText(setting)) continue
    changes[setting.name] = text === '' ? null : text
  }
  return changes
}

/** The description of a setting: what it does, its format and its default. */
export function describeSetting({ about, kind, bounds, default: fallback, choices }: Setting): string {
  const sentence = about.replaceAll('`', '').replace(/\.?$/, '.')
  const limits = bounds === null ? '' : ` From ${bounds.min} to ${bounds.max}.`
  const example =
    kind === 'duration' ? ' Such as 30d, 12h or 5m.' : kind === 'list' ? ' Separated by commas.' : ''
  const isTyped = !isFlag(kind) && choices === null
  return `${sentence}${example}${limits}${isTyped && fallback !== null && fallback !== '' ? ` Default: ${fallback}.` : ''}`
}

/** Where the value of a setting comes from. */
export function describeSource({ source, name, is_set: isSet, secret, hint }: Setting): string {
  if (source === 'environment') return `Set by ${name}`
  if (source === 'stored') return secret && hint !== null ? `Set here (${hint})` : 'Set here'
  return isSet || !secret ? 'Default' : 'Not set'
}
