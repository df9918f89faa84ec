import type { Problem } from '#kernel/errors'
import type { Step } from '../definition/step-types.ts'
import { askingSteps, type Question } from './asking-steps.ts'

/** The configured ways to notify people about a human task. */
export interface AnswerChannels {
  readonly mail: boolean
  readonly slack: boolean
  /** Whether mails can have links to answer with: they need a public URL and a secret. */
  readonly links: boolean
}

/** Warns about notifications of questions to people that cannot be sent. Never throws. */
export function findChannelWarnings(steps: readonly Step[], channels: AnswerChannels): Problem[] {
  return askingSteps(steps).flatMap(({ path, ...question }) =>
    channelProblems(question, channels).map((problem) => ({ ...problem, path: `${path}${problem.path}` })),
  )
}

/** What keeps the people of a human step from being notified, or from answering by mail. Never throws. */
export function channelProblems(
  { notify, assignees }: Question,
  { mail, slack, links }: AnswerChannels,
): Problem[] {
  const sendsMail = notify?.email === true
  const hasAddresses = (assignees?.emails ?? []).length > 0
  const problems: (Problem | false)[] = [
    sendsMail &&
      !mail && {
        path: 'notify.email',
        message: 'sends nothing: this server sends no e-mail (TUTTI_SMTP_URL)',
        code: 'mail_not_configured',
      },
    notify?.slack_channel !== undefined &&
      !slack && {
        path: 'notify.slack_channel',
        message: 'sends nothing: Slack is not configured on this server (TUTTI_SLACK_WEBHOOK_URL)',
        code: 'slack_not_configured',
      },
    hasAddresses &&
      !sendsMail && {
        path: 'assignees.emails',
        message: 'cannot answer: an address answers by the link in a mail, which needs notify.email',
        code: 'answer_links_not_sent',
      },
    hasAddresses &&
      sendsMail &&
      mail &&
      !links && {
        path: 'assignees.emails',
        message: 'cannot answer: mails have no link without TUTTI_PUBLIC_URL and TUTTI_SECRET',
        code: 'answer_links_unavailable',
      },
  ]
  return problems.filter((problem) => problem !== false)
}
