import { Type } from 'typebox'
import type { Access } from '#kernel/http'

export const managesWebhooks = { permission: 'manage webhooks' } as const satisfies Access

export const webhookParams = Type.Object({
  id: Type.String({ maxLength: 100, description: 'As it was answered when the webhook was made.' }),
})

/** Operations of both interfaces stand in one description, so each has a name of its own. */
export function operationOf(api: string, name: string): string {
  return api === 'workflows' ? name : `${api}${name[0]?.toUpperCase()}${name.slice(1)}`
}
