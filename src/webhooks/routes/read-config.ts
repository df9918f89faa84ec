import { type Filters, plainFormat, type WebhookConfig } from '../webhook.ts'
import type { OrchestraConfig, WorkflowsConfig } from './requests.ts'

/** What either interface says about a webhook. */
export interface ReadConfig {
  readonly config: WebhookConfig
  readonly secret: string | undefined
  readonly active: boolean | undefined
}

export function readWorkflowsConfig(body: WorkflowsConfig): ReadConfig {
  const { url, events, secret, active, filters = {}, retry_policy: retryPolicy = {}, format = {} } = body
  return {
    config: {
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

export function readOrchestraConfig(body: OrchestraConfig): ReadConfig {
  const { url, events, secret, active, retry_config: retryPolicy = {} } = body
  return { config: { url, events, filters: {}, retryPolicy, format: plainFormat }, secret, active }
}

/** An empty list is no filter: nobody subscribes to nothing. */
function readFilters(filters: NonNullable<WorkflowsConfig['filters']>): Filters {
  const { flow_ids: flowIds = [], min_cost: minCost, priority = [] } = filters
  return {
    ...(flowIds.length > 0 && { flow_ids: flowIds }),
    ...(minCost !== undefined && { min_cost: minCost }),
    ...(priority.length > 0 && { priority }),
  }
}
