/** A mail to one address. */
interface Mail {
  readonly kind: 'mail'
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** What it is about, such as the id of an execution. */
  readonly about: string
}

/** A message to a channel of Slack. */
interface SlackMessage {
  readonly kind: 'slack'
  readonly channel: string
  /** Shown as it is: nothing in it is a link with another name, a mention or markup. */
  readonly text: string
  /** What it is about, such as the id of an execution. */
  readonly about: string
}

/** Words for people. */
export type Notice = Mail | SlackMessage

export type NoticeKind = Notice['kind']

/** Which kinds are sent here. */
export type Configured = Readonly<Record<NoticeKind, boolean>>
