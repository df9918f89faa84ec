import { expect, test } from 'vitest'
import { bodyOfDraft, draftOf, emptyDraft } from './webhook-draft.ts'

const webhook = {
  webhook_id: 'w',
  name: 'Billing',
  last_delivery: null,
  webhook_url: 'https://receiver.example/hook',
  events_subscribed: ['flow.execution.completed'],
  filters: { flow_ids: ['review'], min_cost: 0.5, priority: ['high'] },
  retry_policy: { max_attempts: 3, retry_delay: 7, timeout: 5 },
  format: {
    content_type: 'application/x-www-form-urlencoded',
    compression: 'gzip',
    include_full_context: true,
  },
  status: 'active' as const,
  disabled_reason: null,
  disabled_at: null,
  verification_expires_at: null,
  verified_at: 1,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: 1,
  updated_at: 1,
}

test('a webhook saved without changes stays the same', () => {
  expect(bodyOfDraft('workflows', draftOf(webhook), webhook)).toEqual({
    webhook_config: {
      name: 'Billing',
      url: webhook.webhook_url,
      events: webhook.events_subscribed,
      filters: webhook.filters,
      retry_policy: webhook.retry_policy,
      format: { ...webhook.format, include_intermediate_results: false },
    },
  })
})

test('a webhook of the orchestra API is read and written with its field names', () => {
  const { filters: _filters, retry_policy: retries, format: _format, ...rest } = webhook
  const other = { ...rest, events_subscribed: ['workflow.failed'], retry_config: retries }
  expect(bodyOfDraft('orchestra', draftOf(other), other)).toEqual({
    name: 'Billing',
    url: webhook.webhook_url,
    events: ['workflow.failed'],
    retry_config: retries,
  })
})

test('empty fields and empty lines are left out', () => {
  const draft = { ...emptyDraft, url: ' https://a.example ', events: ['x'], flowIds: '\n one \n\n' }
  expect(bodyOfDraft('workflows', draft)).toMatchObject({
    webhook_config: { url: 'https://a.example', filters: { flow_ids: ['one'] }, retry_policy: {} },
  })
})

test('a request to the orchestra API has neither filters nor formats', () => {
  const draft = { ...emptyDraft, url: 'https://a.example', events: ['workflow.completed'], attempts: '4' }
  expect(bodyOfDraft('orchestra', draft)).toEqual({
    url: 'https://a.example',
    events: ['workflow.completed'],
    retry_config: { max_attempts: 4 },
  })
})

test('an invalid number is sent as typed, so that the server reports it', () => {
  expect(bodyOfDraft('orchestra', { ...emptyDraft, timeout: 'soon' })).toMatchObject({
    retry_config: { timeout: 'soon' },
  })
})
