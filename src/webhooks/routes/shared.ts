import { Type } from 'typebox'
import type { Access } from '#kernel/http'

export const managesWebhooks = { permission: 'manage webhooks' } as const satisfies Access

export const webhookParams = Type.Object({
  id: Type.String({ maxLength: 100, description: 'The `webhook_id` of the webhook.' }),
})

/** Both APIs share one OpenAPI document, so that operation ids must differ. */
export function operationOf(api: string, name: string): string {
  return api === 'workflows' ? name : `${api}${name[0]?.toUpperCase()}${name.slice(1)}`
}
