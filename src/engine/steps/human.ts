import { approvalForm } from '../definition/kinds/human-form.ts'
import { timeoutMsOf } from '../definition/kinds/wait-times.ts'
import type { HumanStep } from '../definition/step-types.ts'
import { fillText, reportMissing } from '../expressions/templates.ts'
import { type AnswerChannels, channelProblems } from './answer-channels.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import type { StepResult, StepRun } from './step-run.ts'

/** What a human task asks, as it is stored with its wait. */
export interface HumanRequest {
  readonly message: string
  /** The JSON schema of the answer. */
  readonly form: Readonly<Record<string, unknown>>
  /** Null: the account of the execution. */
  readonly assignees: {
    readonly accounts: readonly string[]
    readonly roles: readonly string[]
    readonly emails: readonly string[]
  } | null
  readonly notify: { readonly email: boolean; readonly slack_channel: string | null }
  readonly require_comment: boolean
}

/** With its placeholders filled. A longer message is cut, and its end says so. */
const maxMessageLength = 20_000

/** Asks a person and waits for the answer. Throws WAIT_TIMED_OUT when no one answers in time. */
export async function runHuman(
  run: StepRun<HumanStep>,
  channelsOf?: () => AnswerChannels,
): Promise<StepResult> {
  const { step, log } = run
  const { state, answer, answeredBy, comment, closedAt } = await run.wait((now) => {
    const request = requestOf(run)
    for (const { path, message, code } of channelsOf === undefined ? [] : channelProblems(step, channelsOf()))
      log('warning', `${path} ${message}.`, { warning: code })
    return {
      kind: 'human',
      wakeAt: new Date(now.getTime() + timeoutMsOf(step)),
      request: { ...request },
      notifies: request.notify.email || request.notify.slack_channel !== null,
    }
  })
  const answered = state === 'answered'
  if (!answered && step.on_timeout !== 'continue') {
    throw new StepFailure({
      code: 'WAIT_TIMED_OUT',
      message: `No one answered the human task "${step.id}" in time.`,
    })
  }
  if (!answered)
    log('warning', 'No one answered the human task in time; the default was used.', {
      warning: 'human_task_timed_out',
    })
  return {
    output: {
      answered,
      answer: (answered ? answer : step.default) ?? null,
      by: answeredBy,
      comment,
      at: closedAt.toISOString(),
    },
    confidence: null,
    quality: null,
    usage: noUsage,
    details: {},
  }
}

function requestOf(run: StepRun<HumanStep>): HumanRequest {
  const { step, scope } = run
  const { value, missing } = fillText(step.message, scope)
  reportMissing(run, missing)
  const isCut = value.length > maxMessageLength
  if (isCut)
    run.log('warning', `The message was longer than ${maxMessageLength} characters and was cut.`, {
      warning: 'human_message_cut',
    })
  return {
    message: isCut ? `${value.slice(0, maxMessageLength)} …` : value,
    form: step.form ?? approvalForm,
    assignees:
      step.assignees === undefined
        ? null
        : {
            accounts: step.assignees.accounts ?? [],
            roles: step.assignees.roles ?? [],
            emails: step.assignees.emails ?? [],
          },
    notify: { email: step.notify?.email ?? false, slack_channel: step.notify?.slack_channel ?? null },
    require_comment: step.require_comment ?? false,
  }
}
