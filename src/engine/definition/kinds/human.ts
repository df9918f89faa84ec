import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { oneLine } from '#kernel/http'
import { fillText } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { checkTemplate } from './check-values.ts'
import { readForm } from './human-form.ts'
import type { StepKind } from './step-kind.ts'
import { inText } from './used-paths.ts'
import { checkTimeout, timeoutFields } from './wait-times.ts'

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, ...oneLine }), { maxItems: 50, description }),
  )

export const assignees = Type.Object(
  {
    accounts: names('Accounts, by id or username.'),
    roles: names('Roles: every account with one of them.'),
    emails: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 254,
          pattern: String.raw`^[^\s@]+@[^\s@]+$`,
          'x-means': 'must be an e-mail address',
        }),
        {
          maxItems: 50,
          description: 'E-mail addresses. Each gets a link of its own, with `notify.email`.',
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Who may answer, besides accounts with the permission `manage workflows`. Default: the account of the execution.',
  },
)

export const notify = Type.Object(
  {
    email: Type.Optional(
      Type.Boolean({
        description:
          'Whether the assignees get an e-mail: the addresses, and the accounts named by id. Default: false.',
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
  },
  { additionalProperties: false, description: 'Who is notified of the task. Default: no one.' },
)

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
    ...(step.form === undefined ? [] : readForm(step.form, `${place}.form`).problems),
    ...checkTimeout(step, place),
  ],
  pathsUsed: ({ message }) => inText(message, 'message'),
  templates: ({ message }) => message,
  describeInput: ({ message, form }, scope) => ({
    message: fillText(message, scope).value,
    ...(form !== undefined && { form }),
  }),
} as const satisfies StepKind<HumanStep>
