import { type Problem, UserError } from '#kernel/errors'
import type { MailServer, Sender } from './mail/mail-server.ts'
import type { NotificationsSettings } from './settings.ts'

/** The configured ways to send notifications. */
export interface Channels {
  readonly mail: MailChannel | undefined
  readonly slack: SlackChannel | undefined
}

export interface MailChannel {
  readonly server: MailServer
  readonly from: Sender
}

export interface SlackChannel {
  readonly url: string
}

type ChannelSettings = Pick<NotificationsSettings, 'mailServer' | 'mailFrom' | 'slackUrl'>

/** Derives the channels from the environment. Throws a `UserError` when TUTTI_SMTP_URL is set without TUTTI_MAIL_FROM. */
export function channelsOf(settings: ChannelSettings): Channels {
  if (settings.mailServer !== undefined && settings.mailFrom === undefined) {
    throw new UserError(
      'TUTTI_MAIL_FROM must be set, because TUTTI_SMTP_URL is: set it to the sender, such as Tutti <tutti@example.com>',
    )
  }
  return liveChannelsOf(settings)
}

/** Derives the channels from settings that change at run time. A mail server without a sender is no channel. */
export function liveChannelsOf({ mailServer: server, mailFrom: from, slackUrl }: ChannelSettings): Channels {
  return {
    mail: server === undefined || from === undefined ? undefined : { server, from },
    slack: slackUrl === undefined ? undefined : { url: slackUrl },
  }
}

/** The problems of channels that are changed at run time, for which `channelsOf` would throw. `read` returns the value of a variable. */
export function checkChannels(read: (variable: string) => unknown): readonly Problem[] {
  if (read('TUTTI_SMTP_URL') === undefined || read('TUTTI_MAIL_FROM') !== undefined) return []
  const message =
    'must be set while TUTTI_SMTP_URL is: set it to the sender, such as Tutti <tutti@example.com>'
  return [{ path: 'TUTTI_MAIL_FROM', message, code: 'required' }]
}
