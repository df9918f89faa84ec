import { Type } from 'typebox'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { type Filters, plainFormat, type WebhookConfig } from '../webhook.ts'
import { describeSaved, managesWebhooks, operationOf, webhookParams } from './describe.ts'
import { type OrchestraConfig, orchestraConfig, type WorkflowsConfig, workflowsConfig } from './requests.ts'
import { ChangedWebhook, CreatedWebhook, DeletedWebhook } from './responses.ts'
import type { WebhookRoutes } from './routes.ts'

const aboutCreating =
  'Creates a webhook and sends a challenge to its URL. Other events follow once the webhook is verified. An account can have 100 webhooks.'
const aboutChanging =
  'Replaces the configuration: absent fields get their defaults, except `secret` and `active`, which stay. A new URL must be verified first. A new secret replaces the old one, which also signs for a day.'

/** Routes to create, change and delete webhooks. */
export function addSaveRoutes(routes: HttpServer, shared: WebhookRoutes): void {
  const { path, api, events, rates, webhooks, publicUrlOf, ownerOf } = shared
  const { subscriptions } = webhooks
  const config = { access: managesWebhooks, ratePolicy: rates.sends }
  const { body, read, pathPrefix } = bodyOf(api, events)

  routes.post(
    path,
    {
      config,
      schema: {
        operationId: operationOf(api, 'createWebhook'),
        summary: 'Create a webhook',
        description: aboutCreating,
        body,
        response: { 201: CreatedWebhook },
      },
    },
    async (request, reply) => {
      const created = await subscriptions
        .create(ownerOf(request.principal), read(request.body))
        .catch(prefixProblemPaths(pathPrefix))
      const response = describeSaved(created, (below) => publicUrlOf(request, below))
      return reply
        .code(201)
        .header('location', `${path}/${created.webhook.id}`)
        .send({ ...response, secret: created.secret })
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
        .catch(prefixProblemPaths(pathPrefix))
      return describeSaved(changed, (below) => publicUrlOf(request, below))
    },
  )

  routes.delete(
    `${path}/:id`,
    {
      config: { access: managesWebhooks, ratePolicy: rates.reads },
      schema: {
        operationId: operationOf(api, 'deleteWebhook'),
        summary: 'Delete a webhook',
        description: 'Deletes the webhook with its pending deliveries.',
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

/** Turns the path of a problem into its path in the request body of the API. */
function prefixProblemPaths(prefix: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure) || error.problems.length === 0) throw error
    const { code, status, retryable, message, details } = error
    const problems = error.problems.map((problem) => ({ ...problem, path: `${prefix}${problem.path}` }))
    throw new Failure(code, { status, message, retryable }, { details, problems, cause: error })
  }
}

/** The body schema of the API, its reader, and the path of its fields. `read` is called after validation. */
function bodyOf(api: WebhookRoutes['api'], events: readonly string[]) {
  if (api === 'orchestra') {
    return {
      body: Type.Unsafe<object>(orchestraConfig(events)),
      read: (body: object): ReadConfig => readOrchestraConfig(body as OrchestraConfig),
      pathPrefix: '',
    }
  }
  const wrapped = Type.Object({ webhook_config: workflowsConfig(events) }, { additionalProperties: false })
  return {
    body: Type.Unsafe<object>(wrapped),
    read: (body: object): ReadConfig =>
      readWorkflowsConfig((body as { webhook_config: WorkflowsConfig }).webhook_config),
    pathPrefix: 'webhook_config.',
  }
}

/** A request of either API. */
interface ReadConfig {
  readonly config: WebhookConfig
  readonly secret: string | undefined
  readonly active: boolean | undefined
}

function readWorkflowsConfig(body: WorkflowsConfig): ReadConfig {
  const { name = null, url, events, secret, active, filters = {} } = body
  const { retry_policy: retryPolicy = {}, format = {} } = body
  return {
    config: {
      name,
      url,
      events,
      filters: readFilters(filters),
      retryPolicy,
      format: { ...plainFormat, ...format },
    },
    secret,
    active,
  }
}

function readOrchestraConfig(body: OrchestraConfig): ReadConfig {
  const { name = null, url, events, secret, active, retry_config: retryPolicy = {} } = body
  return { config: { name, url, events, filters: {}, retryPolicy, format: plainFormat }, secret, active }
}

/** An empty list is no filter: a filter that passes no event would be of no use. */
function readFilters(filters: NonNullable<WorkflowsConfig['filters']>): Filters {
  const { flow_ids: flowIds = [], min_cost: minCost, priority = [] } = filters
  return {
    ...(flowIds.length > 0 && { flow_ids: flowIds }),
    ...(minCost !== undefined && { min_cost: minCost }),
    ...(priority.length > 0 && { priority }),
  }
}
