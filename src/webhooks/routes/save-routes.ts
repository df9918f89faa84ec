import { Type } from 'typebox'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { ChangedWebhook, CreatedWebhook, DeletedWebhook } from './answers.ts'
import { describeSaved } from './describe.ts'
import { type ReadConfig, readOrchestraConfig, readWorkflowsConfig } from './read-config.ts'
import { type OrchestraConfig, orchestraConfig, type WorkflowsConfig, workflowsConfig } from './requests.ts'
import type { WebhookRoutes } from './routes.ts'
import { managesWebhooks, operationOf, webhookParams } from './shared.ts'

const aboutCreating =
  'The URL is sent a challenge at once, and nothing else until it is verified. An account can have 100 webhooks.'
const aboutChanging =
  'Takes all of it anew; what is not named has its default again, except `secret` and `active`, which stay. Another URL has to be verified first. Another secret takes the place of the old one, which signs beside it for a day.'

/** Webhooks that are made, changed and deleted. */
export function addSaveRoutes(routes: HttpServer, shared: WebhookRoutes): void {
  const { path, api, events, rates, webhooks, addressOf, ownerOf } = shared
  const { subscriptions } = webhooks
  const config = { access: managesWebhooks, ratePolicy: rates.sends }
  const { body, read, place } = bodyOf(api, events)

  routes.post(
    path,
    {
      config,
      schema: {
        operationId: operationOf(api, 'createWebhook'),
        summary: 'Subscribe to events',
        description: aboutCreating,
        body,
        response: { 201: CreatedWebhook },
      },
    },
    async (request, reply) => {
      const made = await subscriptions
        .create(ownerOf(request.principal), read(request.body))
        .catch(tellPlace(place))
      const answer = describeSaved(made, (below) => addressOf(request, below))
      return reply
        .code(201)
        .header('location', `${path}/${made.webhook.id}`)
        .send({ ...answer, secret: made.secret })
    },
  )

  routes.put(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: operationOf(api, 'changeWebhook'),
        summary: 'Change a webhook',
        description: aboutChanging,
        params: webhookParams,
        body,
        response: { 200: ChangedWebhook },
      },
    },
    async (request) => {
      const { principal, params } = request
      const changed = await subscriptions
        .change(ownerOf(principal), params.id, read(request.body))
        .catch(tellPlace(place))
      return describeSaved(changed, (below) => addressOf(request, below))
    },
  )

  routes.delete(
    `${path}/:id`,
    {
      config: { access: managesWebhooks, ratePolicy: rates.reads },
      schema: {
        operationId: operationOf(api, 'deleteWebhook'),
        summary: 'Delete a webhook',
        description: 'What was on its way to it is not sent any more.',
        params: webhookParams,
        response: { 200: DeletedWebhook },
      },
    },
    async ({ principal, params }) => {
      await subscriptions.remove(ownerOf(principal), params.id)
      return { success: true as const, webhook_id: params.id, status: 'deleted' as const }
    },
  )
}

/** What is wrong is told where it stands in the body of the interface. */
function tellPlace(place: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure) || error.problems.length === 0) throw error
    const { code, status, retryable, message, details } = error
    const problems = error.problems.map((problem) => ({ ...problem, path: `${place}${problem.path}` }))
    throw new Failure(code, { status, message, retryable }, { details, problems, cause: error })
  }
}

/** The body as the interface has it, how it is read, and where its fields stand. The schema has been checked by then. */
function bodyOf(api: WebhookRoutes['api'], events: readonly string[]) {
  if (api === 'orchestra') {
    return {
      body: Type.Unsafe<object>(orchestraConfig(events)),
      read: (body: object): ReadConfig => readOrchestraConfig(body as OrchestraConfig),
      place: '',
    }
  }
  const wrapped = Type.Object({ webhook_config: workflowsConfig(events) }, { additionalProperties: false })
  return {
    body: Type.Unsafe<object>(wrapped),
    read: (body: object): ReadConfig =>
      readWorkflowsConfig((body as { webhook_config: WorkflowsConfig }).webhook_config),
    place: 'webhook_config.',
  }
}
