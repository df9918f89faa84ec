import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { HumanTask } from '#engine'
import { Failure } from '#kernel/errors'
import { type HttpServer, perCaller, setPagePolicy } from '#kernel/http'
import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { WorkflowsError } from '../../schemas/error.ts'
import { recordAnswer } from './record-answer.ts'

type Fields = Readonly<Record<string, unknown>>
type FormField = HumanTask['fields'][number]

const sixtyPerMinute = { limit: 60, windowSeconds: 60 }

const config = {
  access: { open: 'the link is the permission: it names one task and one address' },
  ratePolicy: perCaller({ name: 'answer-links', signedIn: sixtyPerMinute, anonymous: sixtyPerMinute }),
} as const

const params = Type.Object({
  token: Type.String({ maxLength: 1000, description: 'The token of the link in the mail.' }),
})

const page = { content: { 'text/html': { schema: Type.String() } } } as const

const pages = {
  200: { description: 'The page.', ...page },
  '4xx': {
    description: 'A page that says why the link cannot be used; an error for a request that is no form.',
    content: { 'application/json': { schema: WorkflowsError }, ...page.content },
  },
} as const

/**
 * The page behind the link in a mail. Programs that check mails open links: so GET only shows the form, and only POST answers.
 *
 * | the link               | GET                     | POST                                     |
 * |------------------------|-------------------------|------------------------------------------|
 * | of an open task        | the form                | answers, or the form with its problems   |
 * | of a closed task       | says so (200)           | says so (409)                            |
 * | invalid or expired     | says so (404)           | says so (404)                            |
 */
export function addAnswerPageRoutes(
  routes: HttpServer,
  { engine, events, answerLinks }: Pick<WorkflowsOptions, 'engine' | 'events' | 'answerLinks'>,
): void {
  async function open(token: string) {
    const link = await answerLinks.read(token)
    const task = link === undefined ? undefined : await engine.humanTasks.read(link.taskId)
    return link === undefined || task === undefined ? undefined : { task, by: `mail:${link.address}` }
  }

  routes.get(
    `${workflowsPrefix}/answer/:token`,
    {
      config,
      schema: {
        operationId: 'readAnswerPage',
        summary: 'Get the page of an answer link',
        description: 'For browsers. Shows the question and its form; never answers it.',
        params,
        response: pages,
      },
    },
    async ({ params: { token } }, reply) => {
      const opened = await open(token)
      if (opened === undefined) return sendNotice(reply, 404, unusable)
      const { task } = opened
      return task.state === 'open' ? sendForm(reply, 200, task) : sendNotice(reply, 200, closedNotice(task))
    },
  )

  routes.post<{ Params: Static<typeof params> }>(
    `${workflowsPrefix}/answer/:token`,
    {
      config,
      // Before the form is read: only a link allows one.
      onRequest: async (request, reply) => {
        if ((await answerLinks.read(request.params.token)) === undefined)
          return sendNotice(reply, 404, unusable)
        return undefined
      },
      schema: {
        operationId: 'answerByLink',
        summary: 'Answer a human task by its link',
        description: 'The form of the page of the link.',
        consumes: ['application/x-www-form-urlencoded'],
        params,
        body: Type.Object({}, { additionalProperties: true, description: 'The fields of the form.' }),
        response: pages,
      },
    },
    async (request, reply) => {
      const {
        params: { token },
        body,
      } = request
      const opened = await open(token)
      if (opened === undefined) return sendNotice(reply, 404, unusable)
      const { task, by } = opened
      if (task.state !== 'open') return sendNotice(reply, 409, closedNotice(task))
      const fields = body as Fields
      const comment = textOf(fields['comment'])
      try {
        const record = recordAnswer(events, task, request, { by, via: 'link' })
        await engine.humanTasks.answer(task.id, { answer: answerOf(task, fields), comment, by, record })
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error
        if (error.code !== 'invalid_input') return sendNotice(reply, error.status, error.message)
        return sendForm(reply, 400, task, { fields, problems: error.problems })
      }
      return sendNotice(reply, 200, 'Thank you. Your answer was stored, and the flow continues.')
    },
  )
}

const unusable = 'This link is invalid or has expired.'

function closedNotice({ state }: HumanTask): string {
  if (state === 'answered') return 'This question was answered already.'
  return state === 'timed_out'
    ? 'The time for an answer has passed.'
    : 'This question is not asked any more: the flow has ended.'
}

/** The answer in a form. A field that was left empty is left out. */
function answerOf({ fields }: HumanTask, given: Fields): Record<string, unknown> {
  const answer: Record<string, unknown> = {}
  for (const field of fields) {
    const value = valueOf(field, given[`answer.${field.name}`])
    if (value !== undefined) answer[field.name] = value
  }
  return answer
}

function valueOf({ type, required }: FormField, given: unknown): unknown {
  if (type === 'array') return given === undefined ? (required ? undefined : []) : [given].flat()
  const text = textOf(given)
  if (text === undefined || text === '') return undefined
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'number' || type === 'integer') return text.trim() === '' ? undefined : Number(text)
  return text
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : undefined
}

interface Attempt {
  readonly fields: Fields
  readonly problems: Failure['problems']
}

function send(reply: FastifyReply, status: number, render: (nonce: string) => string): FastifyReply {
  const nonce = setPagePolicy(reply)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .send(render(nonce))
}

function sendNotice(reply: FastifyReply, status: number, notice: string): FastifyReply {
  const body = html`<main><p class="brand">${brand}</p><div class="card"><p class="notice">${notice}</p></div></main>`
  return send(reply, status, (nonce) =>
    renderPage({ title: 'Human task', nonce, width: 'narrow', styles, body }),
  )
}

const styles = `
body.narrow main { max-width: 560px; }
.notice { margin: 0; }
.message { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 20px; }
textarea, select { width: 100%; padding: 8px 12px; margin: 0 0 16px; font: inherit; color: inherit;
  background: var(--ground); border: 1px solid var(--line-strong); border-radius: 6px; }
textarea { min-height: 96px; }
fieldset { border: 0; margin: 0 0 16px; padding: 0; }
legend { font-weight: 600; font-size: 13px; padding: 0; margin: 0 0 4px; }
fieldset label { font-weight: 400; display: flex; gap: 8px; align-items: center; }
fieldset input { width: auto; height: auto; margin: 0; }
.help { margin: -12px 0 16px; font-size: 13px; }
`

function sendForm(reply: FastifyReply, status: number, task: HumanTask, attempt?: Attempt): FastifyReply {
  const { flowLabel, message, fields, require_comment: needsComment } = task
  const given = attempt?.fields ?? {}
  const problems = attempt?.problems ?? []
  const body = html`<main>
<p class="brand">${brand}</p>
<form class="card" method="post">
<h1>${flowLabel}</h1>
<div class="message">${message}</div>
${problems.length === 0 ? undefined : html`<p class="alert" role="alert">${problems.map(({ path, message: wrong }) => html`${titleOf(fields, path)} ${wrong}. `)}</p>`}
${fields.map((field) => renderField(field, attempt === undefined ? field.default : given[`answer.${field.name}`]))}
<label for="comment">Comment${needsComment ? '' : ' (optional)'}</label>
<textarea id="comment" name="comment" maxlength="10000"${needsComment ? html` required` : undefined}>${textOf(given['comment'])}</textarea>
<button type="submit">Send answer</button>
</form>
</main>`
  return send(reply, status, (nonce) =>
    renderPage({ title: flowLabel, nonce, width: 'narrow', styles, body }),
  )
}

function titleOf(fields: readonly FormField[], path: string): string {
  return fields.find(({ name }) => path === `answer.${name}`)?.title ?? path
}

function renderField(field: FormField, value: unknown): Markup {
  const { name, title, description, type, options, format, required } = field
  const id = `answer.${name}`
  const needed = required ? html` required` : undefined
  const help = description === undefined ? undefined : html`<p class="help quiet">${description}</p>`
  const label = html`<label for="${id}">${title}${required ? '' : ' (optional)'}</label>`
  if (type === 'array' || type === 'boolean') {
    const chosen = new Set([value].flat().map(String))
    const choices = type === 'array' ? (options ?? []).map((one) => [one, one] as const) : yesOrNo
    return html`<fieldset><legend>${title}${required ? '' : ' (optional)'}</legend>
${choices.map(([one, word]) => html`<label><input type="${type === 'array' ? 'checkbox' : 'radio'}" name="${id}" value="${one}"${chosen.has(one) ? html` checked` : undefined}${type === 'boolean' ? needed : undefined}>${word}</label>`)}
</fieldset>${help}`
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (options !== undefined) {
    return html`${label}<select id="${id}" name="${id}"${needed}>
<option value=""></option>
${options.map((one) => html`<option${one === text ? html` selected` : undefined}>${one}</option>`)}
</select>${help}`
  }
  if (format === 'multiline')
    return html`${label}<textarea id="${id}" name="${id}" maxlength="10000"${needed}>${text}</textarea>${help}`
  const isNumber = type === 'number' || type === 'integer'
  const kind = isNumber ? 'number' : format === 'date' || format === 'email' ? format : 'text'
  return html`${label}<input id="${id}" name="${id}" type="${kind}" value="${text}"${isNumber ? html` step="${type === 'integer' ? '1' : 'any'}"` : undefined}${needed}>${help}`
}

const yesOrNo = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const
