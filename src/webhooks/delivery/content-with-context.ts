/** SQL: the content of `webhook_deliveries as delivery` with the full context, which is stored once per partition. */
export const contentWithContext = `
  case when context.fields is null then delivery.content
    else jsonb_set(delivery.content, '{data}', delivery.content -> 'data' || context.fields) end
`

export const joinContext = `
  left join webhook_contexts as context
    on delivery.with_context and context.webhook_id = delivery.webhook_id and context.subject = delivery.subject
`
