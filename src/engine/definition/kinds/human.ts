import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { oneLine } from '#kernel/http'
import { fillText, fillValue, placeholdersIn } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { checkTemplate } from './check-values.ts'
import { assignees, checkAssignees } from './human-assignees.ts'
import { approvalForm, checkAnswer, readForm } from './human-form.ts'
import type { StepKind } from './step-kind.ts'
import { inText, inValue } from './used-paths.ts'
import { checkTimeout, pathsInTimeout, timeoutFields } from './wait-times.ts'

export const notify = Type.Object(
  {
    email: Type.Optional(
      Type.Boolean({
        description:
          'Whether the assignees get an e-mail: the addresses, and the accounts that are named, not those of a role. Default: false.',
      }),
    ),
    slack_channel: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        ...oneLine,
        description: 'The Slack channel that gets a message. Default: none.',
      }),
    ),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        ...oneLine,
        description:
          'The subject of the e-mail, with `email`. May contain `{{path}}`. Default: `… needs your answer`, with the label of the flow.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Who is notified of the task. Default: no one.' },
)

type Notify = Static<typeof notify>

export function checkNotify({ email, subject }: Notify = {}, place: string): Problem[] {
  if (subject === undefined) return []
  const at = `${place}.subject`
  return email === true
    ? checkTemplate(subject, at)
    : [{ path: at, message: 'has no effect without email: true', code: 'no_effect' }]
}

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('human', {
      description: 'Asks a person, and waits for the answer. No worker is busy meanwhile.',
    }),
    message: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'What the person is asked, as Markdown. May contain `{{path}}`.',
    }),
    form: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'The answer as a JSON schema: an object with up to 30 fields of type string (format date, email or multiline; enum), number, integer, boolean, or array with items.enum. Default: one field `approved`, yes or no.',
      }),
    ),
    assignees: Type.Optional(assignees),
    notify: Type.Optional(notify),
    require_comment: Type.Optional(
      Type.Boolean({ description: 'Whether the answer needs a comment. Default: false.' }),
    ),
    ...timeoutFields('no person has answered'),
  },
  { additionalProperties: false, description: 'Asks a person. The answer is the output.' },
)

export type HumanStep = Static<typeof schema>

export const human = {
  type: 'human',
  plural: 'Human steps',
  schema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: false,
    waits: true,
  },
  phase: 'waiting',
  check: (step, place): Problem[] => [
    ...checkTemplate(step.message, `${place}.message`),
    ...checkForm(step, place),
    ...checkAssignees(step.assignees, `${place}.assignees`),
    ...checkNotify(step.notify, `${place}.notify`),
    ...checkTimeout(step, place),
  ],
  pathsUsed: (step) => [
    ...inText(step.message, 'message'),
    ...inValue(step.assignees, 'assignees'),
    ...inText(step.notify?.subject, 'notify.subject'),
    ...pathsInTimeout(step),
  ],
  templates: ({ message, assignees: asked, notify: how, timeout, default: value }) => [
    message,
    asked,
    how?.subject,
    timeout,
    value,
  ],
  describeInput: ({ message, form, assignees: asked }, scope) => ({
    message: fillText(message, scope).value,
    ...(form !== undefined && { form }),
    ...(asked !== undefined && { assignees: fillValue(asked, scope).value }),
  }),
} as const satisfies StepKind<HumanStep>

/** Checks the form, and the default as an answer to it. Placeholders in the default are filled after the timeout. */
function checkForm({ form = approvalForm, default: value }: HumanStep, place: string): Problem[] {
  const { fields, problems } = readForm(form, `${place}.form`)
  const isFilledLater = typeof value === 'string' && placeholdersIn(value).length > 0
  if (problems.length > 0 || value === undefined || value === null || isFilledLater) return [...problems]
  const later = fields.filter(({ name }) => placeholdersIn((value as Answer)[name]).length > 0)
  const paths = new Set(later.map(({ name }) => `${place}.default.${name}`))
  return checkAnswer(fields, value, `${place}.default`).filter(({ path }) => !paths.has(path))
}

type Answer = Readonly<Record<string, unknown>>
