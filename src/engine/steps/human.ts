import { approvalForm, checkAnswer, readForm } from '../definition/kinds/human-form.ts'
import type { HumanStep } from '../definition/step-types.ts'
import { fillText, placeholdersIn, reportMissing } from '../expressions/templates.ts'
import { type AnswerChannels, channelProblems } from './answer-channels.ts'
import { type FilledAssignees, type FindPeople, fillAssignees } from './assignees.ts'
import { fillDefault, fillLine, timeoutMsOf } from './fill-timeout.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import type { StepResult, StepRun } from './step-run.ts'

/** What a human task asks, as it is stored with its wait. */
export interface HumanRequest {
  readonly message: string
  /** The JSON schema of the answer. */
  readonly form: Readonly<Record<string, unknown>>
  /** Null: the account of the execution. */
  readonly assignees: FilledAssignees | null
  readonly notify: {
    readonly email: boolean
    readonly slack_channel: string | null
    /** Default: one with the label of the flow. */
    readonly subject?: string
  }
  readonly require_comment: boolean
}

/** With its placeholders filled. A longer message is cut, and its end says so. */
const maxMessageLength = 20_000

interface HumanOptions {
  /** Default: unknown, and nothing is reported. */
  readonly answerChannels?: (() => AnswerChannels) | undefined
  /** Default: every account and role exists. */
  readonly findPeople?: FindPeople | undefined
}

/**
 * Asks a person and waits for the answer. Throws WAIT_TIMED_OUT when no one answers in time, and INVALID_STEP when a field cannot be used
 * with its placeholders filled.
 */
export async function runHuman(
  run: StepRun<HumanStep>,
  { answerChannels, findPeople }: HumanOptions = {},
): Promise<StepResult> {
  const { step, log } = run
  const { state, answer, answeredBy, comment, closedAt } = await run.wait(async (now) => {
    const wakeAt = new Date(now.getTime() + timeoutMsOf(run, step.timeout))
    const request = requestOf(run, await fillAssignees(run, step.assignees, findPeople))
    for (const { path, message, code } of answerChannels === undefined
      ? []
      : channelProblems(step, answerChannels()))
      log('warning', `${path} ${message}.`, { warning: code })
    return {
      kind: 'human',
      wakeAt,
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
      answer: (answered ? answer : defaultOf(run)) ?? null,
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

/** The default, which has to satisfy the form like an answer. Without placeholders, it was checked when the flow was saved. */
function defaultOf(run: StepRun<HumanStep>): unknown {
  const { default: given, form = approvalForm } = run.step
  if (placeholdersIn(given).length === 0) return given
  const value = fillDefault(run, given)
  const [problem] = checkAnswer(readForm(form, 'form').fields, value, 'default')
  if (problem === undefined) return value
  throw new StepFailure({
    code: 'INVALID_STEP',
    message: `"${problem.path}" ${problem.message}, with its placeholders filled: no one answered in time, and the default does not satisfy the form.`,
  })
}

function requestOf(run: StepRun<HumanStep>, assignees: FilledAssignees | null): HumanRequest {
  const { step, scope } = run
  const { value, missing } = fillText(step.message, scope)
  reportMissing(run, missing)
  const isCut = value.length > maxMessageLength
  if (isCut)
    run.log('warning', `The message was longer than ${maxMessageLength} characters and was cut.`, {
      warning: 'human_message_cut',
    })
  const { email = false, slack_channel = null, subject: written } = step.notify ?? {}
  const subject = written === undefined ? '' : fillLine(run, written)
  return {
    message: isCut ? `${value.slice(0, maxMessageLength)} …` : value,
    form: step.form ?? approvalForm,
    assignees,
    notify: { email, slack_channel, ...(subject !== '' && { subject }) },
    require_comment: step.require_comment ?? false,
  }
}
