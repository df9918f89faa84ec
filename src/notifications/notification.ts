/** A mail to one address. */
interface Mail {
  readonly kind: 'mail'
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** The subject it reports on, such as the id of an execution. */
  readonly about: string
}

/** A message to a Slack channel. */
interface SlackMessage {
  readonly kind: 'slack'
  readonly channel: string
  /** Shown as plain text: mentions, markup and named links are escaped. */
  readonly text: string
  /** The subject it reports on, such as the id of an execution. */
  readonly about: string
}

export type Notification = Mail | SlackMessage

export type NotificationKind = Notification['kind']

/** For each kind whether a channel is configured. */
export type Configured = Readonly<Record<NotificationKind, boolean>>
