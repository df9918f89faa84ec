/** Somebody who hears of incidents. */
export type NotifyTarget =
  | { readonly kind: 'mail'; readonly to: string }
  | { readonly kind: 'slack'; readonly channel: string }

/** Reads who is to be told: addresses, and channels of Slack that begin with `#`. */
export function readNotifyTargets(entries: readonly string[]): readonly NotifyTarget[] {
  return [...new Set(entries)].map((entry): NotifyTarget => {
    if (/^#[^\s#,]{1,80}$/u.test(entry)) return { kind: 'slack', channel: entry }
    if (/^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,255}$/u.test(entry)) return { kind: 'mail', to: entry }
    throw new Error(
      `has "${entry}", which is neither an address such as ops@example.com nor a channel such as #ops`,
    )
  })
}
